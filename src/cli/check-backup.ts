import { openSecret } from '../core/backup/encrypt-secret-key.ts'
import { headOf } from '../core/backup/read-backup.ts'
import type { ReportProgress } from '../core/backup/report-progress.ts'
import { restoreBackup } from '../core/backup/restore-backup.ts'
import { sealingKeysOf } from '../core/keys/encrypt-secrets.ts'
import { requireStoredKeysOpen } from '../core/keys/signing-keys.ts'
import { verify } from '../core/ledger/verify-ledger.ts'
import { readConfig } from '../infra/config/read-config.ts'
import { openDatabase } from '../infra/db/database.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import { withScratchDatabase } from './temporary-database.ts'

/** Restores a backup into a temporary database, and verifies the restored data. */
export async function checkBackup(file: string, onProgress: ReportProgress): Promise<string> {
  const config = readConfig(process.env)
  const { secret: sealed, taken_at } = await headOf(file)
  const passphrase = config.backupPassphrase
  const secret =
    sealed !== undefined && passphrase !== undefined ? await openSecret(sealed, passphrase) : config.secretKey
  return withScratchDatabase(config.databaseDirectUrl ?? config.databaseUrl, async (url) => {
    const secretKeys = secret === undefined ? 'unchecked' : [secret]
    const { rows } = await restoreBackup(url, file, { secretKeys, onProgress })
    const db = openDatabase(url, 2, () => {})
    try {
      if (secret !== undefined) await requireStoredKeysOpen(db, sealingKeysOf(secret).signingKeys)
      const { findings } = await verify(db, new Date(taken_at))
      if (findings.count > 0)
        throw new PlainError([`${file} can be restored, but its data has faults:`, ...findings.listed].join('\n'))
    } finally {
      await db.destroy()
    }
    const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
    return [
      `${file} of ${taken_at} can be restored: ${all.toLocaleString('en')} rows, nothing booked twice, no money missing.`,
      checkedParts(sealed, passphrase, config.secretKey),
    ].join('\n')
  })
}

function checkedParts(
  sealed: string | undefined,
  passphrase: string | undefined,
  secretKey: string | undefined,
): string {
  if (sealed !== undefined && passphrase !== undefined)
    return 'The secret key in the file authenticates the file and opens the keys in it.'
  if (secretKey !== undefined) return 'USP_SECRET_KEY authenticates the file and opens the keys in it.'
  if (sealed !== undefined)
    return 'Set USP_BACKUP_PASSPHRASE to check also that the file was not changed, and that its secret key opens the keys in it.'
  return 'The file does not contain the secret key. Set USP_SECRET_KEY to check also that the file was not changed, and that the key opens the keys in it.'
}

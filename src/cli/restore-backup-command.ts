import { resolve } from 'node:path'
import { sql } from 'kysely'
import { openSecret } from '../core/backup/encrypt-secret-key.ts'
import { type Head, UNCHECKED } from '../core/backup/file-format.ts'
import { headOf } from '../core/backup/read-backup.ts'
import { progressLines } from '../core/backup/report-progress.ts'
import { endAccess, restoreBackup } from '../core/backup/restore-backup.ts'
import { storedMailServer } from '../core/business/mail-server-queries.ts'
import { storedTextProvider } from '../core/business/text-provider-queries.ts'
import { sealingKeysOf } from '../core/keys/encrypt-secrets.ts'
import { requireStoredKeysOpen } from '../core/keys/signing-keys.ts'
import { findSecret, writeSecret } from '../infra/config/data-folder.ts'
import { type Config, readConfig } from '../infra/config/read-config.ts'
import { type Database, onlyRow } from '../infra/db/database.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { eraseAgain, readErasures } from './erase-people-after-restore.ts'
import { connect } from './open-database.ts'
import { onlyFile, parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} restore [--unchecked] FILE [--erase LIST] | restore --secret FILE

LIST is a file of the people who were erased after the backup was taken: one mail address, telephone number or booking id a line.`

interface Options {
  unchecked: boolean
  erasures: readonly string[] | undefined
}

export async function run(args: string[]) {
  const { file, secret, ...options } = read(args)
  console.log(secret ? await readSecretKey(file) : await restored(file, options))
}

function read(args: string[]) {
  const options = {
    secret: { type: 'boolean', default: false },
    unchecked: { type: 'boolean', default: false },
    erase: { type: 'string' },
  } as const
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true }, USAGE)
  const { secret, unchecked, erase } = values
  const erasures = erase === undefined ? undefined : readErasures(erase)
  return { file: onlyFile(positionals, USAGE), secret, unchecked, erasures }
}

/**
 * Reads the server's secret key from a backup. This needs only the passphrase, because after the loss of a server the
 * operator often has no other setting.
 */
async function readSecretKey(file: string): Promise<string> {
  const { backupPassphrase: passphrase } = readConfig({ USP_BACKUP_PASSPHRASE: process.env.USP_BACKUP_PASSPHRASE })
  const { secret } = await headOf(file)
  if (secret === undefined) throw new PlainError(`${file} was made without a passphrase: the secret key is not in it.`)
  if (passphrase === undefined) throw new PlainError('Set USP_BACKUP_PASSPHRASE to the passphrase of this backup.')
  return openSecret(secret, passphrase)
}

async function restored(file: string, { unchecked, erasures }: Options): Promise<string> {
  const head = await headOf(file) // If the backup file is wrong, this call fails before a database starts.
  const { config, directUrl, db, clock, close } = await connect({ logTo: process.stderr, schema: 'any' })
  try {
    const secretKeys = unchecked ? 'unchecked' : await secretKeysFor(file, head, config)
    const reportProgress = progressLines((line) => console.error(line))
    const { rows } = await restoreBackup(directUrl, file, { secretKeys, onProgress: reportProgress, atEnd: endAccess })
    const erased = erasures && (await eraseAgain(db, erasures, clock()))
    return [
      `${file} is restored: ${rows.bookings} bookings.`,
      await storeSecretKey(db, file, config),
      ...(await restoredAccessReport(db, head.taken_at, erased)),
    ].join('\n')
  } finally {
    await close()
  }
}

/**
 * Describes the staff, keys and people in the restored backup. With this report, the operator decides who loses access,
 * and whose personal data to erase again.
 */
async function restoredAccessReport(db: Database, takenAt: string, erased: number | undefined): Promise<string[]> {
  const staff = await db.selectFrom('staff').select(['name', 'role']).orderBy('created_at').execute()
  const { rows } = await sql<{ keys: number; passkeys: number; calendars: number }>`
    select (select count(*)::integer from api_keys) as keys, (select count(*)::integer from staff_passkeys) as passkeys,
      (select count(*)::integer from calendar_feeds) as calendars`.execute(db)
  const { keys, passkeys, calendars } = onlyRow({ rows })
  const [mailServer, textProvider] = [await storedMailServer(db), await storedTextProvider(db)]
  return [
    `The backup was taken at ${takenAt}. All browser sessions, sign-in links and permissions of buyers ended: staff and buyers must sign in again. The page links of bookings are those of that time.`,
    `The staff members of that time can sign in again: ${staff.map(({ name, role }) => `${name} (${role})`).join(', ') || 'none'}.`,
    `${keys} platform keys, ${passkeys} passkeys and ${calendars} calendar addresses work again. Revoke those that were revoked since.`,
    ...(mailServer
      ? [
          `The servers send mails through ${mailServer.host} again. For a copy that must send no mail, remove this mail server first: delete the row of the table mail_server.`,
        ]
      : []),
    ...(textProvider
      ? [
          'The servers send text messages to buyers again. For a copy that must send none, remove the provider first: delete the row of the table text_provider. People who answered STOP since the backup get messages again.',
        ]
      : []),
    erased === undefined
      ? 'The data of people who were erased since is back. Erase them again, with restore FILE --erase LIST before you start the servers, or at the desk.'
      : `${erased} bookings of the people in the list were erased again.`,
  ]
}

/** Returns the secret keys that may belong to this backup: the configured key, and the key that the backup contains. */
async function secretKeysFor(file: string, { secret: sealed }: Head, config: Config): Promise<string[]> {
  const { backupPassphrase: passphrase } = config
  const configured = configuredSecret(config)
  const isInside = sealed !== undefined && passphrase !== undefined
  const inside = isInside ? await openSecret(sealed, passphrase) : undefined
  const known = [configured, inside].filter((key) => key !== undefined)
  if (known.length > 0) return known
  throw new PlainError(
    `Without a secret key, the server cannot check that ${file} was not changed. Set USP_SECRET_KEY to its value at the time of the backup, or set USP_BACKUP_PASSPHRASE. ${UNCHECKED}`,
  )
}

const configuredSecret = (config: Config) => config.secretKey ?? findSecret(config.dataDir, 'secret-key')

/** If no secret key is set, stores the key from the backup in the data folder. Returns advice for the operator. */
async function storeSecretKey(db: Database, file: string, config: Config): Promise<string> {
  const { secret: sealed } = await headOf(file)
  const known = configuredSecret(config)
  if (known !== undefined) return (await opens(db, known)) ? 'Start the servers.' : otherSecret(sealed)
  if (sealed === undefined || config.backupPassphrase === undefined)
    return `The secret key is missing. Before you start the server, set USP_SECRET_KEY to its value at the time of the backup${sealed === undefined ? '' : `; ${SHOW}`}.`
  writeSecret(config.dataDir, 'secret-key', await openSecret(sealed, config.backupPassphrase))
  return `The secret key was written to ${resolve(config.dataDir)}. Start the server.`
}

const SHOW = `with USP_BACKUP_PASSPHRASE set, ${USP} restore --secret FILE shows it`

const otherSecret = (sealed: string | undefined) =>
  `The secret key that is set here is not that of the backup. Before you start the server, set USP_SECRET_KEY to its value at the time of the backup${sealed === undefined ? '' : `; ${SHOW}`}.`

const opens = (db: Database, secret: string) =>
  requireStoredKeysOpen(db, sealingKeysOf(secret).signingKeys).then(
    () => true,
    (error) => {
      if (error instanceof PlainError) return false
      throw error
    },
  )

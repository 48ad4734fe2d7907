import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../infra/config/read-config.ts'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BackgroundLoop } from '../jobs/background-loop.ts'
import { startRecurring } from '../jobs/run-recurring-jobs.ts'
import { megabytes } from './report-progress.ts'
import { lastBackupUpsert, writeBackup } from './write-backup.ts'

export const DAILY_BACKUP = 'back up'

type Needs = Dependencies<'db' | 'clock' | 'clockFault' | 'log' | 'config'>

interface Source {
  directUrl: string
  secretKey: string
}

/**
 * Starts the daily backup if the setting `USP_BACKUP_DIR` names a folder. If several servers run, the first server that
 * finds the backup due writes it. The backup has its own loop, because a long backup would delay other jobs.
 */
export function startDailyBackup(needs: Needs, source: Source): BackgroundLoop {
  const { backups } = needs.config
  if (backups === undefined) return { close: async () => {} }
  const run = (_: Needs, now: Date, isClosing: () => boolean) =>
    takeDailyBackup(needs, { ...source, backups, now, isClosing })
  return startRecurring(needs, [{ name: DAILY_BACKUP, intervalMs: DAY, run }])
}

interface Daily extends Source {
  backups: NonNullable<Config['backups']>
  now: Date
  isClosing(): boolean
}

async function takeDailyBackup({ db, config }: Needs, { directUrl, secretKey, backups, now, isClosing }: Daily) {
  const { folder, keep } = backups
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(({ code }) => {
    throw new PlainError(`USP_BACKUP_DIR cannot be used (${code}): set it to a folder that the server may write to.`)
  })
  const newest = `usp-${now.toISOString().replaceAll(':', '-')}.backup`
  const file = join(folder, newest)
  await deleteOldBackups(folder, keep, newest)
  await refuseWithoutSpace(db, folder)
  const stopIfClosing = () => {
    if (isClosing())
      throw new PlainError(
        'The server stopped before its backup was complete. Another server takes the backup, or this one after its next start.',
      )
  }
  await writeBackup(directUrl, file, { secretKey, passphrase: config.backupPassphrase, onProgress: stopIfClosing })
  await lastBackupUpsert(db, { taken_at: now, bytes: (await stat(file)).size })
  await deleteOldBackups(folder, keep, newest)
}

async function deleteOldBackups(folder: string, keep: number, newest: string) {
  for (const name of backupsToDelete(await readdir(folder), keep, newest)) await rm(join(folder, name), { force: true })
}

/**
 * Throws an error if the disk has too little free space for the backup. Without this check, a backup could fill a disk
 * that the database also uses.
 */
async function refuseWithoutSpace(db: Database, folder: string) {
  const [{ bavail, bsize }, needed] = await Promise.all([statfs(folder), bytesNeeded(db)])
  const room = bavail * bsize
  if (room < needed)
    throw new PlainError(
      `USP_BACKUP_DIR has ${megabytes(room)} of free disk space, but a backup needs about ${megabytes(needed)}. Free disk space, or name another folder.`,
    )
}

/**
 * Estimates the size of the next backup: a quarter more than the last backup. Without an earlier backup, the estimate
 * is a quarter of the database size, because a backup is compressed and has no indexes.
 */
async function bytesNeeded(db: Database): Promise<number> {
  const size = sql`pg_database_size(current_database()) / 4`
  const last = sql`select bytes * 1.25 from last_backup`
  const found = await sql<{ bytes: number }>`select coalesce((${last}), ${size})::float8 as bytes`.execute(db)
  return onlyRow(found).bytes
}

const DAILY = /^usp-\d{4}-\d\d-\d\dT[\d.-]+Z\.backup(\.part-\d+)?$/

/**
 * Returns the names of the backup files to delete: all daily backups except the last `keep`, and unfinished files of
 * stopped servers. The function ignores a backup with a later date than `newest`, because such a date comes from a
 * wrong clock. Otherwise, the server could delete `newest` instead of an older backup.
 */
export function backupsToDelete(names: string[], keep: number, newest: string): string[] {
  const dailyFiles = names.filter((name) => DAILY.test(name))
  const whole = dailyFiles.filter((name) => name.endsWith('.backup') && name <= newest).sort()
  return [...dailyFiles.filter((name) => !name.endsWith('.backup')), ...whole.slice(0, -keep)]
}

import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from '../basics/plain-error.ts'
import type { Config } from '../config/config.ts'
import type { Running } from '../jobs/loop.ts'
import { startRecurring } from '../jobs/recurring.ts'
import type { Means } from '../protocol/means.ts'
import { DAY } from '../time/units.ts'
import { lastBackupEnter } from './last-backup.ts'
import { writeBackup } from './write-backup.ts'

export const DAILY_BACKUP = 'back up'

type Needs = Means<'db' | 'clock' | 'clockFault' | 'log' | 'config'>

interface Source {
  directUrl: string
  secretKey: string
}

/** Takes one a day where a folder is named for it, on whichever server is first. It takes its time, and keeps no other job waiting. */
export function startDailyBackup(needs: Needs, source: Source): Running {
  const { backups } = needs.config
  if (backups === undefined) return { close: async () => {} }
  const run = (_: Needs, now: Date) => takeDailyBackup(needs, { ...source, backups, now })
  return startRecurring(needs, [{ name: DAILY_BACKUP, every: DAY, run }])
}

type Daily = Source & { backups: NonNullable<Config['backups']>; now: Date }

export async function takeDailyBackup({ db, config }: Needs, { directUrl, secretKey, backups, now }: Daily) {
  const { folder, keep } = backups
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(({ code }) => {
    throw new PlainError(`USP_BACKUP_DIR cannot be used (${code}): set it to a folder that the server may write to.`)
  })
  const file = join(folder, `usp-${now.toISOString().replaceAll(':', '-')}.backup`)
  await writeBackup(directUrl, file, { secretKey, passphrase: config.backupPassphrase })
  await lastBackupEnter(db, { taken_at: now, bytes: (await stat(file)).size })
  for (const name of superfluous(await readdir(folder), keep)) await rm(join(folder, name), { force: true })
}

const DAILY = /^usp-\d{4}-\d\d-\d\dT[\d.-]+Z\.backup(\.part-\d+)?$/

/** All but the newest, and what servers left that were killed over it; nothing that was put there otherwise. */
export function superfluous(names: string[], keep: number): string[] {
  const ours = names.filter((name) => DAILY.test(name))
  const whole = ours.filter((name) => name.endsWith('.backup')).sort()
  return [...ours.filter((name) => !name.endsWith('.backup')), ...whole.slice(0, -keep)]
}

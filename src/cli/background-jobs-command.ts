import { DAILY_BACKUP } from '../core/backup/daily-backup.ts'
import { recurringDue, recurringFind } from '../core/jobs/recurring-job-queries.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { table } from './format-table.ts'
import { connect } from './open-database.ts'
import { jobs } from './recurring-job-list.ts'

const USAGE = `Usage: ${USP} jobs list | run NAME`

/**
 * Lists the recurring jobs of the server, or makes one job due now. If a job fails, the server log shows the reason.
 */
export async function run(args: string[]) {
  const [action = '', ...words] = args
  const name = words.join(' ')
  if (!['list', 'run'].includes(action) || (action === 'run') !== (name !== '')) throw new PlainError(USAGE)
  if (name && name !== DAILY_BACKUP && !jobs.some((job) => job.name === name))
    throw new PlainError(`There is no job ${name}. See: ${USP} jobs list`)
  const { config, db, clock, close } = await connect()
  try {
    if (name === DAILY_BACKUP && !config.backups)
      throw new PlainError(
        `The server takes no daily backups before USP_BACKUP_DIR is set. To take one now, see: ${USP} backup --help`,
      )
    if (action === 'list') return console.log(table((await recurringFind(db)).map(shown)))
    await recurringDue(db, name, clock())
    console.log(`${name}: a running server starts it within 15 seconds.`)
  } finally {
    await close()
  }
}

type Found = Awaited<ReturnType<typeof recurringFind>>[number]

const shown = ({ job, ran_at, next_at, failures, isUnderway }: Found) => ({
  job,
  'last ran': ran_at?.toISOString() ?? 'never',
  'due next': isUnderway ? 'running' : next_at.toISOString(),
  'failures in a row': failures,
})

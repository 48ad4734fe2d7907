import { MINUTE } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type BackgroundLoop, startLoop } from './background-loop.ts'
import { type Work, workAll } from './queue-worker.ts'
import { recurringEnd, recurringFail, recurringRenew, recurringTake } from './recurring-job-queries.ts'

/**
 * A job that runs at intervals. Its result must be correct even if several servers run the job at the same time, or if
 * one server repeats it.
 */
export interface RecurringJob<Needs> {
  name: string
  /** The time between two runs of the job, in milliseconds. In this time, all servers together run the job once. */
  intervalMs: number
  /** Runs the job. `isClosing` returns true while the server is stopping. A long run must then end early. */
  run(needs: Needs, now: Date, isClosing: () => boolean): Promise<unknown>
}

type Needs = Dependencies<'db' | 'clock' | 'clockFault' | 'log'>

const CHECK_INTERVAL_MS = MINUTE / 4

/** Runs each job when it is due, one job at a time. If several jobs are due, their order in the list decides. */
export function startRecurring<N extends Needs>(needs: N, jobs: RecurringJob<N>[]): BackgroundLoop {
  return startLoop({ name: 'housekeeping', every: CHECK_INTERVAL_MS, log: needs.log }, async (isClosing) => {
    if (needs.clockFault() === undefined) await runDue(needs, jobs, isClosing)
  })
}

/**
 * Runs all jobs that are due now. If a job fails, the other jobs still run, and the failed job is due again in a
 * minute.
 */
export const runDue = <N extends Needs>(needs: N, jobs: RecurringJob<N>[], isClosing?: () => boolean): Promise<void> =>
  workAll(needs, recurring(needs, jobs), isClosing)

function recurring<N extends Needs>(needs: N, jobs: RecurringJob<N>[]): Work<RecurringJob<N>> {
  const { db, clock, log } = needs
  return {
    name: 'housekeeping',
    atOnce: 1,
    idOf: ({ name }) => name,
    async take() {
      const name = await recurringTake(db, jobs, clock())
      return jobs.filter((job) => job.name === name)
    },
    async work({ name, intervalMs, run }, isClosing) {
      const now = clock()
      try {
        await run(needs, now, isClosing)
      } catch (error) {
        log.warn({ err: error, job: name }, 'A recurring job failed; it is tried again in a minute.')
        return () => recurringFail(db, name, new Date(now.getTime() + MINUTE))
      }
      return () => recurringEnd(db, name, { now, next: new Date(now.getTime() + intervalMs) })
    },
    renew: (jobs) => recurringRenew(db, jobs),
  }
}

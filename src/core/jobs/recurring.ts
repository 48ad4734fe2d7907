import { MINUTE } from '../../infra/time/units.ts'
import type { Means } from '../../protocol/means.ts'
import { type Running, startLoop } from './loop.ts'
import { recurringEnd, recurringFail, recurringRenew, recurringTake } from './recurring-queries.ts'
import { type Work, workAll } from './worker.ts'

/** Something that is done now and again. However often and by however many servers it runs, it does no harm. */
export interface RecurringJob<Needs> {
  name: string
  /** Milliseconds from one run to the next, whichever server it is on. */
  every: number
  /** What takes longer ends early where the server does. */
  run(needs: Needs, now: Date, isClosing: () => boolean): Promise<unknown>
}

type Needs = Means<'db' | 'clock' | 'clockFault' | 'log'>

/** How often a server looks whether something is due. */
const TICK = MINUTE / 4

/** Does what is due now and from then on, one after the other in the order of the list. */
export function startRecurring<N extends Needs>(needs: N, jobs: RecurringJob<N>[]): Running {
  return startLoop({ name: 'housekeeping', every: TICK, log: needs.log }, async (isClosing) => {
    if (needs.clockFault() === undefined) await runDue(needs, jobs, isClosing)
  })
}

/** Runs what is due now. What fails is tried again in a minute; the others go on. */
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
    async work({ name, every, run }, isClosing) {
      const now = clock()
      try {
        await run(needs, now, isClosing)
      } catch (error) {
        log.warn({ err: error, job: name }, 'A recurring job failed; it is tried again in a minute.')
        return () => recurringFail(db, name, new Date(now.getTime() + MINUTE))
      }
      return () => recurringEnd(db, name, { now, next: new Date(now.getTime() + every) })
    },
    renew: (jobs) => recurringRenew(db, jobs),
  }
}

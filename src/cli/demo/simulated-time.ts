import { demoLock, isStepOpen, logStep } from '../../domain/desk/demo/demo-data-audit-log.ts'
import { offerReleasedInTransaction } from '../../domain/waitlist/run-waitlist-offers.ts'
import { noOutbox } from '../../infra/db/queued-mail-types.ts'
import { runUnitOfWork } from '../../infra/db/run-unit-of-work.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Runtime } from '../../server/build-dependencies.ts'

/**
 * The services of the server as at the time of a step of the simulation. The operations of the step run in one
 * transaction, and their mails are dropped.
 */
export interface SimulatedTime {
  runtime: Runtime
  staffId: string
  /**
   * Moves the clock of the step forward by some minutes, but never past `begunAt`.
   */
  moveOn(minutes: number): void
  /** Adds a row, such as `booking bkg_1`, to the list of the rows that the step made. */
  note(row: string): void
}

/** The step is done already, or the owner has removed the demo data. */
export class StepDoneError extends Error {
  override name = 'StepDoneError'
}

interface Step {
  step: string
  at: Date
  staffId: string
  begunAt: Date
}

/**
 * Runs one step of the simulation in one transaction, and records its rows in the same transaction. If the server
 * stops, the next start therefore neither repeats nor misses a step. A step leaves no row whose deadline is in the past.
 * Otherwise, the background work would let this row expire, because it uses the real time.
 */
export async function atSimulatedTime<T>(
  runtime: Runtime,
  { step, at, staffId, begunAt }: Step,
  work: (moment: SimulatedTime) => Promise<T>,
): Promise<T> {
  let now = at.getTime()
  const clock = () => new Date(now)
  const made: string[] = []
  return runUnitOfWork(
    runtime.db,
    async (tx) => {
      await demoLock(tx)
      if (!(await isStepOpen(tx, step))) throw new StepDoneError(step)
      const result = await work({
        runtime: { ...runtime, clock, makeChange: (change) => change(tx) },
        staffId,
        moveOn: (minutes) => {
          now = Math.max(now, Math.min(now + Math.round(minutes) * MINUTE, begunAt.getTime()))
        },
        note: (row) => void made.push(row),
      })
      if (tx.hasReleased) await offerReleasedInTransaction(tx, { ...runtime, clock })
      logStep(tx, { step, made }, clock())
      return result
    },
    noOutbox,
  )
}

/** The services for reads, as at this time of the simulation. */
export const asAt = (runtime: Runtime, at: Date): Runtime => ({ ...runtime, clock: () => at })

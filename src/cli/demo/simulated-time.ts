import { demoLock, isStepOpen, logStep } from '../../domain/desk/demo/demo-data-audit-log.ts'
import { offerReleasedInTransaction } from '../../domain/waitlist/run-waitlist-offers.ts'
import { noOutbox } from '../../infra/db/queued-mail-types.ts'
import { runUnitOfWork } from '../../infra/db/run-unit-of-work.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Runtime } from '../../server/build-dependencies.ts'

/**
 * What a step of the simulation gets: the server's services with a simulated clock. The operations of the step run in
 * one transaction, and the server sends none of their mails.
 */
export interface SimulatedTime {
  runtime: Runtime
  staffId: string
  /** Moves the clock of the step forward by some minutes, but never past `begunAt` (the start of the simulation). */
  moveOn(minutes: number): void
  /** Adds a row that the step created, such as `booking bkg_1`, to the list of invented rows. */
  note(row: string): void
}

/** This error means that the step is already completed, or that the owner has removed the demo data. */
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
 * Runs one step of the simulation, and records the rows that it created in the same transaction. If the server stops,
 * the next start therefore neither repeats nor misses a step. A step must leave no row whose deadline is in the past.
 * The background work uses the real time, and would let such a row expire.
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

/** Returns the server's services with a clock that stands at this time of the simulation. They are for reads only. */
export const asAt = (runtime: Runtime, at: Date): Runtime => ({ ...runtime, clock: () => at })

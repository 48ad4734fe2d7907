import { isWaitlistPriorityRefusal } from '../core/ledger/released-capacity.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import type { Outbox } from '../infra/db/outbox.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import { ProtocolError } from '../protocol/errors.ts'

export interface Waitlist {
  offerReleased(change: UnitOfWork): Promise<void>
  /** Offers capacity that was released earlier or whose offer lapsed, and that has not been offered yet. */
  offerPending(): Promise<void>
}

/**
 * Attempts for one unit of work. Another attempt is needed only when more capacity was released or lapsed in the meantime.
 */
const ATTEMPTS = 5

/**
 * Runs units of work. Capacity that one releases is offered to the waitlist in the same transaction. A unit of work that
 * would claim capacity before the waitlist was offered it is rolled back. The server then makes the offers and tries again
 * with the remaining capacity.
 */
export const unitOfWorkRunner =
  (db: OpenDatabase, waitlist: Waitlist, outbox: () => Promise<Outbox>): RunUnitOfWork =>
  async (work) => {
    const offering = async (change: UnitOfWork) => {
      const result = await work(change)
      if (change.hasReleased) await waitlist.offerReleased(change)
      return result
    }
    for (let round = 0; round < ATTEMPTS; round++)
      try {
        return await runUnitOfWork(db, offering, await outbox())
      } catch (error) {
        if (!isWaitlistPriorityRefusal(error)) throw error
        await waitlist.offerPending()
      }
    throw new ProtocolError('service_unavailable', 'Too much capacity is being released at once. Try again.', {
      retryAfter: 1,
    })
  }

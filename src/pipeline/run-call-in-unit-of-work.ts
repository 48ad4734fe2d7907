import { isWaitlistPriorityRefusal } from '../core/ledger/end-expired-claims.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import type { Outbox } from '../infra/db/queued-mail-types.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import { withTimeout } from '../infra/util/with-timeout.ts'
import { ProtocolError } from '../protocol/errors.ts'

export interface Waitlist {
  /** Returns false if another transaction makes offers now, so this one could not. */
  offerReleased(change: UnitOfWork): Promise<boolean>
  /**
   * Offers released time and places to the waitlist that the server has not offered yet. This includes the time and
   * places of waitlist offers that have ended.
   */
  offerPending(): Promise<void>
}

/**
 * The maximum number of attempts to run one unit of work (a database transaction). The server tries again only if the
 * waitlist must first get time or places that became free.
 */
const ATTEMPTS = 5

/**
 * Runs units of work (database transactions) and gives priority to the waitlist. If a unit of work releases time or
 * places, the same transaction offers them to the waitlist. If a unit of work needs time or places that the waitlist
 * must get first, PostgreSQL rolls it back. The server then makes the offers, and runs the unit of work again.
 */
export const unitOfWorkRunner =
  (db: OpenDatabase, waitlist: Waitlist, outbox: () => Promise<Outbox>): RunUnitOfWork =>
  async (work) => {
    const offering = async (change: UnitOfWork) => ({
      result: await work(change),
      isOffered: !change.hasReleased || (await waitlist.offerReleased(change)),
    })
    for (let round = 0; round < ATTEMPTS; round++)
      try {
        const { result, isOffered } = await runUnitOfWork(db, offering, await outbox())
        if (!isOffered) await offerSoon(waitlist)
        return result
      } catch (error) {
        if (!isWaitlistPriorityRefusal(error)) throw error
        await waitlist.offerPending()
      }
    throw new ProtocolError('service_unavailable', 'Too much capacity is being released at once. Try again.', {
      retryAfter: 1,
    })
  }

/** The answer to a call waits for the offers to the waitlist for at most this number of milliseconds. */
const OFFERS_TIMEOUT_MS = 1_000

/**
 * Offers the released time and places before the caller gets the answer. The ones that no waiting buyer wants are then
 * free again. The call is already committed, so a failure is no error. The waitlist worker makes the missing offers.
 */
const offerSoon = (waitlist: Waitlist): Promise<void> =>
  withTimeout(waitlist.offerPending(), OFFERS_TIMEOUT_MS, () => new Error('The waitlist is busy.')).catch(() => {})

import { isWaitlistFirst } from '../core/ledger/freed.ts'
import type { Change, MakeChange } from '../infra/db/change.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import { inChange } from '../infra/db/in-change.ts'
import type { Outbox } from '../infra/db/outbox.ts'
import { ProtocolError } from '../protocol/errors.ts'

export interface Waitlist {
  offerFreed(change: Change): Promise<void>
  /** Offers capacity that was released earlier or whose offer lapsed, and that has not been offered yet. */
  offerPending(): Promise<void>
}

/**
 * Attempts for one unit of work. Another attempt is needed only when more capacity was released or lapsed in the meantime.
 */
const ROUNDS = 5

/**
 * Runs units of work. Capacity that one releases is offered to the waitlist in the same transaction. A unit of work that
 * would claim capacity before the waitlist was offered it is rolled back. The server then makes the offers and tries again
 * with the remaining capacity.
 */
export const changesOf =
  (db: OpenDatabase, waitlist: Waitlist, outbox: () => Promise<Outbox>): MakeChange =>
  async (work) => {
    const offering = async (change: Change) => {
      const result = await work(change)
      if (change.hasFreed) await waitlist.offerFreed(change)
      return result
    }
    for (let round = 0; round < ROUNDS; round++)
      try {
        return await inChange(db, offering, await outbox())
      } catch (error) {
        if (!isWaitlistFirst(error)) throw error
        await waitlist.offerPending()
      }
    throw new ProtocolError('service_unavailable', 'Too much comes free just now. Try again.', { retryAfter: 1 })
  }

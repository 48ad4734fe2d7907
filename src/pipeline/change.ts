import { isWaitlistFirst } from '../core/ledger/freed.ts'
import type { Change, MakeChange } from '../infra/db/change.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import { inChange } from '../infra/db/in-change.ts'
import type { Outbox } from '../infra/db/outbox.ts'
import { ProtocolError } from '../protocol/errors.ts'

/** What a change needs of the waitlist. */
export interface Waitlist {
  /** Offers what the change frees to those who wait for it. */
  offerFreed(change: Change): Promise<void>
  /** Offers what was freed or lapsed before and was not offered yet. */
  offerPending(): Promise<void>
}

/** How often a change is tried: another round is needed only when something else came free or lapsed meanwhile. */
const ROUNDS = 5

/**
 * Makes changes. What one frees is offered to the waitlist within the same transaction. A change that would take time which the
 * waitlist has not been offered yet is rolled back; the offers are made, and it is tried again with what they leave.
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

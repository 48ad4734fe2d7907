import type { Change, MakeChange } from '../db/change.ts'
import type { OpenDatabase } from '../db/database.ts'
import { inChange } from '../db/in-change.ts'
import { isLineFirst } from '../ledger/freed.ts'
import { ProtocolError } from '../protocol/errors.ts'

/** Those who wait for what is taken. */
export interface Line {
  /** Offers them what the change gives back. */
  offerFreed(change: Change): Promise<void>
  /** Offers them what came free or lapsed before anybody looked. */
  lookAfter(): Promise<void>
}

/** Each round something else must have come free or lapsed in the meantime. */
const ROUNDS = 5

/**
 * What a change gives back is offered to those who wait for it, in the change itself. Who would take what they have not been
 * asked about yet takes nothing: they are asked, and what they leave can be had.
 */
export const changesOf =
  (db: OpenDatabase, line: Line): MakeChange =>
  async (work) => {
    for (let round = 0; round < ROUNDS; round++)
      try {
        return await inChange(db, async (change) => {
          const result = await work(change)
          if (change.hasFreed) await line.offerFreed(change)
          return result
        })
      } catch (error) {
        if (!isLineFirst(error)) throw error
        await line.lookAfter()
      }
    throw new ProtocolError('service_unavailable', 'Too much comes free just now. Try again.', { retryAfter: 1 })
  }

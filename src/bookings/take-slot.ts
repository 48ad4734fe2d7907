import type { Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdEnd } from '../availability/hold-queries.ts'
import { type Occupied, occupy } from '../availability/occupy.ts'
import type { Database } from '../db/database.ts'
import { claimEnd, claimPass } from '../ledger/claims.ts'
import { seatsEnd, seatsPass } from '../ledger/seats.ts'
import { Outcome } from '../protocol/errors.ts'

export const holdExpired = () =>
  new Outcome('hold_expired', 'The hold has ended. Query again, and hold or book another slot.', '$.hold_id')

/** Takes the slot for a booking: out of a hold, or afresh. */
export async function takeSlot(
  tx: Database,
  slot: Slot,
  bookingId: string,
  { party, hold, until, now }: { party: number; hold: HoldRow | undefined; until: Date | null; now: Date },
): Promise<Occupied> {
  const holder = { kind: 'booking', id: bookingId } as const
  const expiry = until ?? undefined
  if (!hold) return occupy(tx, slot.plan, slot.offer, party, holder, expiry, now)
  const held = { kind: 'hold', id: hold.id } as const
  await holdEnd(tx, hold.id, { status: 'converted', booking_id: bookingId })
  // Who comes with more or fewer than were held gives them back and asks again; nobody else can come between.
  if (slot.offer.capacity && party !== hold.spots) {
    await claimEnd(tx, held)
    await seatsEnd(tx, held)
    return occupy(tx, slot.plan, slot.offer, party, holder, expiry, now).catch((error: unknown) => {
      throw error instanceof Outcome && error.code === 'slot_unavailable' ? tooMany(hold) : error
    })
  }
  if (slot.offer.session !== undefined) {
    const session = await seatsPass(tx, held, holder, expiry, now)
    if (session === undefined) throw holdExpired()
    return { resources: [], session }
  }
  const resources = await claimPass(tx, held, holder, expiry, now)
  // Others may have removed part of a hold that has lapsed by their clock.
  if (resources.length < slot.plan.requirements.length) throw holdExpired()
  return { resources, session: undefined }
}

const tooMany = ({ spots }: HoldRow) =>
  new Outcome('capacity_exceeded', `There is no room for more than the ${spots} that are held.`, '$.party_size')

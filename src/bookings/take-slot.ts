import type { Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdEnd } from '../availability/hold-queries.ts'
import { type Occupied, occupy } from '../availability/occupy.ts'
import { isSeated } from '../availability/party.ts'
import { resourcesOf } from '../availability/plan.ts'
import type { Change } from '../db/change.ts'
import { claimEnd, claimPass, type Holder, resourcesLock } from '../ledger/claims.ts'
import { seatsEnd, seatsPass } from '../ledger/seats.ts'
import { Outcome } from '../protocol/errors.ts'

export const holdExpired = () =>
  new Outcome('hold_expired', 'The hold has ended. Query again, and hold or book another slot.', '$.hold_id')

interface Taking {
  party: number
  hold: HoldRow | undefined
  /** The waitlist entry that was offered the slot. */
  offer?: string | undefined
  until: Date | null
  now: Date
}

/** Takes the slot for a booking: out of a hold, out of an offer, or afresh. */
export async function takeSlot(
  tx: Change,
  slot: Slot,
  bookingId: string,
  { party, hold, offer, until, now }: Taking,
): Promise<Occupied> {
  const holder = { kind: 'booking', id: bookingId } as const
  const expiry = until ?? undefined
  if (offer !== undefined) return takeOver(tx, slot, { kind: 'offer', id: offer }, holder, expiry, now)
  const wanted = { plan: slot.plan, offer: slot.offer, party, holder, expiresAt: expiry, now }
  if (!hold) return occupy(tx, wanted)
  const held = { kind: 'hold', id: hold.id } as const
  await holdEnd(tx, hold.id, { status: 'converted', booking_id: bookingId })
  // Who comes with more or fewer than were held gives them back and asks again; nobody else can come between.
  if ((slot.offer.capacity || isSeated(slot.plan)) && party !== hold.spots) {
    // Giving back locks what was held: whatever else may be needed is locked before, in one order with everybody's.
    if (slot.offer.session === undefined) await resourcesLock(tx, resourcesOf(slot.plan))
    await claimEnd(tx, held)
    await seatsEnd(tx, held)
    return occupy(tx, wanted).catch((error: unknown) => {
      throw error instanceof Outcome && error.code === 'slot_unavailable' ? tooMany(hold) : error
    })
  }
  return takeOver(tx, slot, held, holder, expiry, now)
}

/** What somebody holds becomes the booking's; there is no instant in between. */
async function takeOver(
  tx: Change,
  slot: Slot,
  from: Holder,
  to: Holder,
  expiry: Date | undefined,
  now: Date,
): Promise<Occupied> {
  if (slot.offer.session !== undefined) {
    const session = await seatsPass(tx, from, to, expiry, now)
    if (session === undefined) throw holdExpired()
    return { resources: [], session }
  }
  const resources = await claimPass(tx, from, to, expiry, now)
  // Others may have removed part of what has lapsed by their clock.
  if (resources.length < slot.plan.requirements.length) throw holdExpired()
  return { resources, session: undefined }
}

const tooMany = ({ spots }: HoldRow) =>
  new Outcome('capacity_exceeded', `There is no room for more than the ${spots} that are held.`, '$.party_size')

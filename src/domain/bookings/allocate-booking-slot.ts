import { seatsEnd, seatsPass } from '../../core/ledger/class-session-seats.ts'
import { isSessionWanted } from '../../core/ledger/class-sessions.ts'
import { type ClaimHolder, claimEnd, claimPass, resourcesLock } from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Context } from '../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import {
  type Allocation,
  type AllocationRequest,
  allocateSlot,
  isSameTime,
  slotUnavailable,
} from '../availability/allocate-slot.ts'
import type { SearchedTime } from '../availability/available-times.ts'
import { bookableRange, firstAvailableTime } from '../availability/find-available-times.ts'
import type { Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdEnd, holdLock, holdStatus } from '../availability/hold-queries.ts'
import { dependsOnPartySize } from '../availability/party-size-capacity.ts'
import { resourcesOf } from '../availability/service-scheduling-plan.ts'
import type { BookingRow } from './booking-row.ts'

const holdExpired = () =>
  new BusinessRefusal('hold_expired', 'The hold has ended. Query again, and hold or book another slot.', '$.hold_id')

interface BookingAllocation {
  party: number
  hold: HoldRow | undefined
  offer?: string | undefined
  until: Date | null
  now: Date
}

export async function allocateForBooking(
  tx: UnitOfWork,
  slot: Slot,
  bookingId: string,
  { party, hold, offer, until, now }: BookingAllocation,
): Promise<Allocation> {
  const holder = { kind: 'booking', id: bookingId } as const
  const request = { plan: slot.plan, time: slot.time, party, holder, expiresAt: until ?? undefined, now }
  if (hold) await holdEnd(tx, hold.id, { status: 'converted', booking_id: bookingId })
  if (offer !== undefined) return takeOverAllocation(tx, { kind: 'offer', id: offer }, request)
  if (!hold) return allocateSlot(tx, request)
  const held = { kind: 'hold', id: hold.id } as const
  // The hold reserves a certain number of seats. If the booking needs another number, the server releases the hold and
  // reserves the slot again. Because this happens in one transaction, no other call can take the slot in between.
  if ((slot.time.capacity || dependsOnPartySize(slot.plan)) && party !== hold.spots) {
    // Releasing the hold locks some resources, and reserving the slot locks other resources. To prevent deadlocks, the
    // server first locks all these resources, in the same order as all other calls.
    if (slot.time.session === undefined) await resourcesLock(tx, resourcesOf(slot.plan))
    await claimEnd(tx, held)
    await seatsEnd(tx, held)
    return allocateSlot(tx, request)
  }
  return takeOverAllocation(tx, held, request)
}

/**
 * Reserves another slot for a booking, or the same slot for another number of people. The server releases the old
 * reservation in the same transaction. If the new reservation fails, the database undoes the release, and the booking
 * keeps its old slot.
 */
export async function reallocateBooking(
  tx: UnitOfWork,
  booking: BookingRow,
  slot: Slot,
  request: BookingAllocation,
): Promise<Allocation> {
  await resourcesLock(tx, [...booking.resource_ids, ...resourcesOf(slot.plan)])
  await allocationEnd(tx, booking)
  return allocateForBooking(tx, slot, booking.id, request)
}

/**
 * Transfers reserved time or seats from a hold (a short reservation) or a waitlist offer to a booking. During the
 * transfer, the time or seats stay reserved, so no other call can take them.
 */
async function takeOverAllocation(
  tx: UnitOfWork,
  from: ClaimHolder,
  { plan, time, holder, expiresAt, now }: AllocationRequest,
): Promise<Allocation> {
  if (time.session !== undefined) {
    const session = await seatsPass(tx, { from, to: holder, expiresAt }, now)
    if (session === undefined) throw holdExpired()
    if (!(await isSessionWanted(tx, session))) throw slotUnavailable()
    return { resources: [], session }
  }
  const resources = await claimPass(tx, { from, to: holder, expiresAt }, now)
  // Servers can have slightly different clocks. A server whose clock is ahead ends the hold too early, and may already
  // have deleted some of its reserved times.
  if (resources.length < plan.requirements.length) throw holdExpired()
  return { resources, session: undefined }
}

const holdTooSmall = ({ spots }: HoldRow) =>
  new BusinessRefusal('capacity_exceeded', `No more than the ${spots} held places are available.`, '$.party_size')

export async function lockHold({ db, caller }: Context, id: string): Promise<HoldRow> {
  const hold = await holdLock(db, id, caller)
  if (!hold) throw invalidInput('You have no such hold.', '$.hold_id')
  return hold
}

interface HeldWish {
  slot: Slot
  party: number
  /**
   * The booking that moves, or the waitlist offer that the buyer accepts. It has reserved time of its own. When the
   * server checks the new slot, the reserved time of this booking or offer counts as free.
   */
  own?: ClaimHolder
}

/**
 * Throws an error if the hold (a short reservation) does not fit the booking, for example because it is for another
 * slot. The function does not change the hold.
 */
export async function refuseUnfitHold(db: Database, hold: HoldRow, wish: HeldWish, now: Date): Promise<void> {
  const { slot, party, own } = wish
  if (hold.service_id !== slot.plan.service.id || hold.slot_id !== slot.id)
    throw invalidInput('The hold is for another slot.', '$.hold_id')
  if (holdStatus(hold, now) !== 'active') throw await endedHold(db, wish, now)
  // This hold is on a slot that a waitlist offer already reserves, so the hold itself reserves nothing. Therefore the
  // caller can use the hold only to accept the offer.
  if (hold.offer !== null && own?.kind !== 'offer')
    throw invalidInput('This slot is offered by the waitlist. Accept the offer with this hold.', '$.hold_id')
  if (party > hold.spots) throw holdTooSmall(hold)
}

/**
 * Returns the error for a booking request whose hold (a short reservation) has ended. The error code says whether the
 * slot is still free.
 */
async function endedHold(
  db: Database,
  { slot: { plan, time }, party, own }: HeldWish,
  now: Date,
): Promise<BusinessRefusal> {
  const fits = (other: SearchedTime) => isSameTime(other, time)
  const range = bookableRange(plan, [time.start, time.start + 1], now)
  const free = await firstAvailableTime(db, plan, { range, party, now, except: own, fits })
  return free ? holdExpired() : slotUnavailable()
}

const holderOf = ({ id }: Pick<BookingRow, 'id'>): ClaimHolder => ({ kind: 'booking', id })

/**
 * Changes the time when the reservation of a booking ends to `until`. If `until` is null, the reservation never ends.
 * Returns false if the reservation has already expired.
 */
export async function allocationKeep(
  tx: UnitOfWork,
  booking: BookingRow,
  until: Date | null,
  now: Date,
): Promise<boolean> {
  const holder = holderOf(booking)
  if (booking.session_id !== null)
    return (await seatsPass(tx, { from: holder, to: holder, expiresAt: until ?? undefined }, now)) !== undefined
  const extended = await claimPass(tx, { from: holder, to: holder, expiresAt: until ?? undefined }, now)
  return extended.length === booking.resource_ids.length
}

export async function allocationEnd(tx: UnitOfWork, booking: BookingRow): Promise<void> {
  await claimEnd(tx, holderOf(booking))
  await seatsEnd(tx, holderOf(booking))
}

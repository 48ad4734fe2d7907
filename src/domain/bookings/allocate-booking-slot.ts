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
import { resourcesOf } from '../availability/service-plan.ts'
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
  // If the party size differs from the number of held places, the server releases the hold and reserves the slot anew.
  // Both happen in one transaction, so no other call can take the slot in between.
  if ((slot.time.capacity || dependsOnPartySize(slot.plan)) && party !== hold.spots) {
    // To release the hold, the server locks the hold's resources. To reserve the slot anew, it locks all resources that
    // the service may use. To avoid deadlocks, the server first locks all these resources, in the order that all calls
    // use.
    if (slot.time.session === undefined) await resourcesLock(tx, resourcesOf(slot.plan))
    await claimEnd(tx, held)
    await seatsEnd(tx, held)
    return allocateSlot(tx, request)
  }
  return takeOverAllocation(tx, held, request)
}

/**
 * Allocates another slot to a booking, or the same slot for another party size. The old allocation is released in the
 * same transaction. So the booking keeps its old slot if the new allocation fails.
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
 * Gives the booking the reserved time or seats of a hold or a waitlist offer. No other call can take them in between.
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
  // The clock of another server may be ahead, so that server may already have deleted some of the hold's reserved
  // times.
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
   * The booking that moves, or the accepted waitlist offer. The server treats its reserved time as free when it checks
   * the slot.
   */
  own?: ClaimHolder
}

/** Refuses a hold that does not fit this booking of the slot, and leaves the hold unchanged. */
export async function refuseUnfitHold(db: Database, hold: HoldRow, wish: HeldWish, now: Date): Promise<void> {
  const { slot, party, own } = wish
  if (hold.service_id !== slot.plan.service.id || hold.slot_id !== slot.id)
    throw invalidInput('The hold is for another slot.', '$.hold_id')
  if (holdStatus(hold, now) !== 'active') throw await endedHold(db, wish, now)
  // A hold on a waitlist offer reserves nothing itself, because the offer already reserves the slot.
  if (hold.offer !== null && own?.kind !== 'offer')
    throw invalidInput('This slot is offered by the waitlist. Accept the offer with this hold.', '$.hold_id')
  if (party > hold.spots) throw holdTooSmall(hold)
}

/**
 * The refusal of a booking whose hold has ended. Its error code tells the caller whether the slot can still be booked.
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
 * Keeps the time or seats of the booking reserved until `until`, or without end if `until` is null. Returns false if
 * the reservation has already expired.
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

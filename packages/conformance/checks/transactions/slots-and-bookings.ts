import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { Caller, CallOptions } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import type { Slot, SlotWish } from '../../target/free-slots.ts'

const MAX_PAGES = 20

export const UNKNOWN_HOLD = 'hold_00000000000000000000'
export const UNKNOWN_SERVICE = 'svc_of_no_business'
/** The payment report of a platform. */
export const PAYMENT = { status: 'paid', transaction_id: 'txn_conformance', amount_paid: 100, currency: 'USD' }

/** Returns options for a call with a new idempotency key. */
export const newKey = () => ({ idempotencyKey: randomUUID() })

interface Request {
  caller?: Caller
  input?: Members
  options?: CallOptions
}

/** Requests a hold of the slot, which the server may refuse. The suite ends the hold after the check. */
export async function askForHold(
  c: CheckContext,
  slot: Slot,
  { caller = c.caller, input = {}, options = {} }: Request = {},
): Promise<Answer> {
  const answer = await caller.call('hold', { service_id: slot.service_id, slot_id: slot.id, ...input }, options)
  const hold = asMembers(answer.result?.hold)
  if (hold) c.endHoldAfterwards(slot, hold, caller)
  return answer
}

/** Requests a booking of the slot, which the server may refuse. The suite cancels the booking after the check. */
export async function askToBook(
  c: CheckContext,
  slot: Slot,
  { caller = c.caller, input = {}, options = {} }: Request = {},
): Promise<Answer> {
  const answer = await caller.call('book', c.bookingOf(slot, input), options)
  const booking = asMembers(answer.result?.booking)
  if (booking) c.cancelAfterwards(booking, caller)
  return answer
}

/** Returns the slot from a new availability query. Undefined if the answer does not contain the slot. */
export async function listedSlot(c: CheckContext, { id, service_id, start, end }: Slot): Promise<Slot | undefined> {
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { service_id, start_date: start, end_date: end, ...(cursor !== undefined && { cursor }) }
    const result = (await c.anonymous.call('queryAvailability', query)).success()
    const found = expectList(result.slots, 'slots').find((slot) => slot.id === id)
    if (found) return found as Slot
    cursor = asMembers(result.pagination)?.cursor
    if (typeof cursor !== 'string') return undefined
  }
  return undefined
}

/**
 * Finds a slot that starts during this slot and has the same location or resources. Skips the check if there is none.
 */
export async function overlappingSlot(c: CheckContext, slot: Slot, same: 'location' | 'resources'): Promise<Slot> {
  const query = { service_id: slot.service_id, start_date: slot.start, end_date: slot.end }
  const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
  const later = (slots as Slot[]).find((one) => one.start > slot.start && isDeepStrictEqual(one[same], slot[same]))
  if (!later) throw new Skip(`No slot of ${slot.service_id} starts during another slot.`)
  return later
}

/** Requires that an availability query offers the slot, or that it does not, according to `isOffered`. */
export async function expectOffered(c: CheckContext, slot: Slot, isOffered: boolean): Promise<void> {
  const listed = await listedSlot(c, slot)
  const isFree = listed !== undefined && listed.state !== 'waitlist'
  expectEqual(isFree, isOffered, `the offer of the slot ${slot.id}`)
}

/** Requires that another platform cannot hold the slot. */
export async function expectTaken(c: CheckContext, slot: Slot): Promise<void> {
  ;(await askForHold(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
}

/** Returns the numbers of free spots and of held spots of a group slot. */
export async function spotsOf(c: CheckContext, slot: Slot): Promise<{ remaining: number; held: number }> {
  const listed = await listedSlot(c, slot)
  if (!listed) throw new Mismatch(`the slot ${slot.id} in the availability query`, 'no such slot')
  const { remaining, held = 0 } = expectMembers(listed.capacity, 'capacity')
  expectTrue(typeof remaining === 'number' && typeof held === 'number', 'numbers in capacity', listed.capacity)
  return { remaining, held }
}

/** Whether the slot has at least `count` free spots. */
export const hasSpots =
  (count: number) =>
  ({ capacity }: Slot): boolean =>
    Number(asMembers(capacity)?.remaining) >= count

/** Whether the slot names the persons, rooms or items that a booking would use. */
export const hasResources = ({ resources }: Slot): boolean => Array.isArray(resources)

export const firstResourceOf = ({ resources }: Slot): unknown => expectList(resources, 'resources of the slot')[0]?.id

export async function readBooking(c: CheckContext, { id }: Members, caller = c.caller): Promise<Members> {
  const result = (await caller.call('getBooking', { booking_id: id })).success()
  return expectMembers(result.booking, 'booking')
}

/** Cancels a booking, and returns the canceled booking. */
export async function cancelBooking(c: CheckContext, { id }: Members): Promise<Members> {
  return bookingOf(await c.caller.call('cancelBooking', { booking_id: id }))
}

/** Requests to move the booking to the slot, which the server may refuse. */
export const askToMove = (c: CheckContext, { id }: Members, slot: Slot, options?: CallOptions): Promise<Answer> =>
  c.caller.call('reschedule', { booking_id: id, slot_id: slot.id }, options)

/** Requires that a refused call did not change the booking. */
export async function expectUnchanged(c: CheckContext, booking: Members, caller = c.caller): Promise<void> {
  const now = await readBooking(c, booking, caller)
  for (const member of ['status', 'revision', 'updated_at', 'slot', 'notes', 'buyer', 'party_size', 'cancellation'])
    expectEqual(now[member], booking[member], `${member} after a refused call`)
}

/** Requires that the server refuses to cancel the booking because of the terms of its service. Returns the severity. */
export async function expectNotCanceled(c: CheckContext, booking: Members): Promise<unknown> {
  const answer = await c.caller.call('cancelBooking', { booking_id: booking.id })
  const { severity } = answer.refusedWith('cancellation_not_allowed')
  await expectUnchanged(c, booking)
  return severity
}

/** Returns the booking in a successful answer. */
export const bookingOf = (answer: Answer): Members => expectMembers(answer.success().booking, 'booking')

export const holdOf = (answer: Answer): Members & { id: string } =>
  expectMembers(answer.success().hold, 'hold') as Members & { id: string }

/** Books a service whose bookings the platform may not cancel. The staff cancel the booking after the check. */
export async function bookForStaff(c: CheckContext, service: Members, wish: SlotWish = {}): Promise<Members> {
  const cancel = staffAction(c, 'cancel')
  const { booking } = await c.book(service, wish)
  c.afterwards(() => cancel(booking.id))
  return booking
}

type BookingAction = 'confirm' | 'cancel' | 'start' | 'complete' | 'markNoShow'

/** Returns a staff action. Skips the check if the staff adapter does not support this action. */
export function staffAction(c: CheckContext, name: BookingAction): (bookingId: unknown) => Promise<unknown> {
  const action = c.staff[name]
  if (!action) throw new Skip(`The staff adapter does not support the action ${name}.`)
  return (bookingId) => action.call(c.staff, String(bookingId))
}

import type { Answer, Members } from '../../caller/answer.ts'
import { asMembers } from '../../caller/answer.ts'
import type { Caller, CallOptions } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'

const MAX_PAGES = 20

interface Request {
  caller?: Caller
  input?: Members
  options?: CallOptions
}

/** Asks for a hold of the slot. A hold that the business grants is ended after the check. */
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

/** Asks for a booking of the slot. A booking that the business makes is canceled after the check. */
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

/** The slot as an availability query shows it now, or undefined if the answer does not list it. */
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

/** Requires that an availability query offers the slot, or that it does not. */
export async function expectOffered(c: CheckContext, slot: Slot, isOffered: boolean): Promise<void> {
  const listed = await listedSlot(c, slot)
  const isFree = listed !== undefined && listed.state !== 'waitlist'
  expectEqual(isFree, isOffered, `whether the slot ${slot.id} is offered`)
}

/** The spots of a group slot that can be booked, and those that active holds take. */
export async function spotsOf(c: CheckContext, slot: Slot): Promise<{ remaining: number; held: number }> {
  const listed = await listedSlot(c, slot)
  if (!listed) throw new Mismatch(`the slot ${slot.id} in the availability query`, 'no such slot')
  const { remaining, held = 0 } = expectMembers(listed.capacity, 'capacity')
  expectTrue(typeof remaining === 'number' && typeof held === 'number', 'numbers in capacity', listed.capacity)
  return { remaining, held }
}

/** Whether at least so many spots of the slot are free. */
export const hasSpots =
  (count: number) =>
  ({ capacity }: Slot): boolean =>
    Number(asMembers(capacity)?.remaining) >= count

export async function readBooking(c: CheckContext, { id }: Members, caller = c.caller): Promise<Members> {
  const result = (await caller.call('getBooking', { booking_id: id })).success()
  return expectMembers(result.booking, 'booking')
}

/** Requires that the booking is as it was: a refused call changed nothing. */
export async function expectUnchanged(c: CheckContext, booking: Members, caller = c.caller): Promise<void> {
  const now = await readBooking(c, booking, caller)
  for (const member of ['status', 'revision', 'updated_at', 'slot', 'notes', 'buyer', 'party_size', 'cancellation'])
    expectEqual(now[member], booking[member], `${member} after a refused call`)
}

/** The booking in a successful answer. */
export const bookingOf = (answer: Answer): Members => expectMembers(answer.success().booking, 'booking')

export const holdOf = (answer: Answer): Members & { id: string } =>
  expectMembers(answer.success().hold, 'hold') as Members & { id: string }

type BookingAction = 'confirm' | 'cancel' | 'start' | 'complete' | 'markNoShow'

/** Lets a person of the business act. Skips the check if the adapter does not support the action. */
export function staffAction(c: CheckContext, name: BookingAction): (bookingId: unknown) => Promise<unknown> {
  const action = c.staff[name]
  if (!action) throw new Skip(`The staff adapter has no action ${name}.`)
  return (bookingId) => action.call(c.staff, String(bookingId))
}

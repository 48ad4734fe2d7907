import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, millisecondsOf, type Slot } from '../../target/free-slots.ts'
import { askToBook } from '../transactions/slots-and-bookings.ts'

/** A safety margin in milliseconds. During this time, the check finds a slot, books it and changes the booking. */
export const MARGIN_MS = 600_000
const MAX_TRIES = 5

/** The times at which a booking can be changed. They are ISO 8601 durations before the start of the booking. */
export interface ChangeWindow {
  /** Before this time, a change costs no fee. */
  freeUntil: unknown
  /** After this time, the buyer can no longer change the booking. */
  possibleUntil?: unknown
}

/** Books a slot that starts soon. A change of this booking costs a fee. Skips the check if there is no such slot. */
export async function bookLate(c: CheckContext, service: Members, window: ChangeWindow): Promise<Members> {
  const from = Date.now() + millisecondsOf(window.possibleUntil) + MARGIN_MS
  const to = Date.now() + millisecondsOf(window.freeUntil) - MARGIN_MS
  const query = { service_id: service.id, start_date: dateIn(0), end_date: new Date(to).toISOString().slice(0, 10) }
  const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
  const late = (slots as Slot[]).filter(({ start }) => from < Date.parse(start) && Date.parse(start) < to)
  // The suite's list of free slots contains only later days. Therefore another running check may book the same slot
  // first.
  for (const slot of late.toSorted(() => Math.random() - 0.5).slice(0, MAX_TRIES)) {
    const answer = await askToBook(c, { ...slot, service_id: service.id })
    const booking = asMembers(answer.result?.booking)
    if (booking) return booking
  }
  throw new Skip(`The service ${service.id} has no free slot that starts soon enough for a late fee.`)
}

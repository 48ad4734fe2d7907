import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, days, type Slot } from '../../target/free-slots.ts'

const DAY_MS = 86_400_000
/** Time between the choice of a slot and the change of its booking. */
const MARGIN_MS = 600_000
const MAX_TRIES = 5

/** The durations before the start until which a change is free, and until which it is possible. */
export interface ChangeWindow {
  freeUntil: unknown
  possibleUntil?: unknown
}

export const millisecondsOf = (duration: unknown): number => (days(duration) ?? 0) * DAY_MS

/** Books a slot that is so near that a change of the booking costs a fee. Skips the check if there is none. */
export async function bookLate(c: CheckContext, service: Members, window: ChangeWindow): Promise<Members> {
  const from = Date.now() + millisecondsOf(window.possibleUntil) + MARGIN_MS
  const to = Date.now() + millisecondsOf(window.freeUntil) - MARGIN_MS
  const query = { service_id: service.id, start_date: dateIn(0), end_date: new Date(to).toISOString().slice(0, 10) }
  const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
  const late = (slots as Slot[]).filter(({ start }) => from < Date.parse(start) && Date.parse(start) < to)
  // The shared list of free slots has later days, so another running check may book the same late slot first.
  for (const slot of late.toSorted(() => Math.random() - 0.5).slice(0, MAX_TRIES)) {
    const input = { service_id: service.id, slot_id: slot.id, buyer: c.buyer() }
    const { booking } = ((await c.caller.call('book', input)).result ?? {}) as { booking?: Members }
    if (!booking) continue
    c.cancelAfterwards(booking)
    return booking
  }
  throw new Skip(`The service ${service.id} has no free slot that is so near that a change costs the fee.`)
}

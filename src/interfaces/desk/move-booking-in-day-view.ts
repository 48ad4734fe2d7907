import { durationAfterMove } from '../../domain/availability/service-durations.ts'
import { type Plan, planOf, resourcesOf } from '../../domain/availability/service-scheduling-plan.ts'
import { type Span, subtracted } from '../../domain/availability/time-spans.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { clockText, momentText } from '../../infra/i18n/format-times.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import type { DayEntry } from './day-entries.ts'
import type { Column } from './day-grid.ts'
import { resourceIds } from './drag-booking-attributes.ts'
import { toLocalInput } from './local-time-input.ts'

/** The interval in milliseconds between the start times that the page offers for a moved booking. */
const START_STEP_MS = 30 * MINUTE

/** The booking that staff are moving. In the day view, staff choose its new time, and its new person or room. */
export interface BookingToMove {
  booking: Booking
  plan: Plan
  length: number
}

export async function findBookingToMove(
  id: string | null,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<BookingToMove | undefined> {
  if (id === null || !isAllowed(deskRequest.who, reschedule)) return undefined
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { booking } = answer.result
  const plan = planOf(await dependencies.business.get(), booking.service_id)
  if (!plan || !isPossible('reschedule', booking) || plan.service.type === 'group') return undefined
  return { booking, plan, length: Date.parse(booking.slot.end) - Date.parse(booking.slot.start) }
}

export const moveNote = ({ booking, plan }: BookingToMove, { request: { localizer } }: DeskRequest): Content => {
  const bookingPath = `/desk/bookings/${booking.id}`
  const now = momentText(localizer, new Date(booking.slot.start), plan.zone)
  return html`<div class="note"><p><strong>${fullName(guestOf(booking))}</strong> · ${booking.service_name} · ${localizer.say('booking.move.now', { time: now })}<br>${localizer.say('desk.put.where')}</p>
<p><a href="${bookingPath}/move">${localizer.say('desk.put.any')}</a> · <a href="${bookingPath}">${localizer.say('waiting.back')}</a></p></div>`
}

export const isOtherBooking = ({ booking }: BookingToMove, { movable }: DayEntry) => movable?.id !== booking.id

export const canProvide = ({ plan }: BookingToMove, resource: string) => resourcesOf(plan).includes(resource)

/**
 * Returns buttons that move the booking to a free time of one person or room. The page can be out of date, so the
 * server checks the time again after the press.
 */
export function freeTimeButtons(
  { booking, plan, length }: BookingToMove,
  { id, workingTimes, entries }: { id: string; workingTimes: readonly Span[]; entries: readonly DayEntry[] },
  { request: { localizer } }: DeskRequest,
  now: number,
): NonNullable<Column['freeTimes']> {
  const isThere = ([from]: Span) =>
    from === Date.parse(booking.slot.start) && booking.resources?.some((one) => one.id === id)
  const lasts = durationAfterMove(plan, { length, resources: resourceIds(booking) }, [id])
  const starts = startsWithin(workingTimes, entries, { ...plan, length: lasts }, now).filter((one) => !isThere(one))
  return starts.map(([from, to]) => {
    const at = new URLSearchParams({ start: toLocalInput(plan.zone, from), to: id, back: 'day' })
    return {
      from,
      to,
      body: html`<button class="plain" name="at" value="${String(at)}">${clockText(localizer, new Date(from), plan.zone)}</button>`,
    }
  })
}

/**
 * Returns the possible start times for a booking of this length in one column. Each result has the start time and the
 * end of its button in the column. A button ends at the next start time, or at most one interval later.
 */
export function startsWithin(
  workingTimes: readonly Span[],
  otherEntries: readonly Pick<DayEntry, 'from' | 'to' | 'before' | 'after'>[],
  { length, before, after }: { length: number; before: number; after: number },
  now: number,
): Span[] {
  const fits = workingTimes.flatMap(([from, to]): Span[] => (to - from < length ? [] : [[from, to - length + 1]]))
  const occupied = otherEntries
    .map((one): Span => [one.from - one.before - after - length + 1, one.to + one.after + before])
    .toSorted(([one], [other]) => one - other)
  const past: Span = [Number.NEGATIVE_INFINITY, Math.ceil(now / (5 * MINUTE)) * 5 * MINUTE]
  return [past, ...occupied]
    .reduce<Span[]>((left, one) => subtracted(left, [one]), fits)
    .flatMap(([from, to]) => {
      const found: Span[] = []
      for (let start = from; start < to; ) {
        const next = (Math.floor(start / START_STEP_MS) + 1) * START_STEP_MS
        found.push([start, next < to ? next : Math.min(start + START_STEP_MS, to - 1 + length)])
        start = next
      }
      return found
    })
}

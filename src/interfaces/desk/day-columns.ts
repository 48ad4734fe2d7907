import type { Span } from '../../domain/availability/time-spans.ts'
import { connectCalendar } from '../../domain/busy-times/connect-calendar.ts'
import { clearTime } from '../../domain/desk/away/clear-bookings-for-absence.ts'
import { book } from '../../domain/desk/bookings/create-booking.ts'
import { applyDefinition } from '../../domain/desk/setup/apply-definition.ts'
import { daysLater, startOfDay } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { icon } from '../pages/icons.ts'
import { huesOf } from './assign-entry-colors.ts'
import { type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { type Day, type DayEntry, entriesByResource } from './day-entries.ts'
import type { Column } from './day-grid.ts'
import { servicesByResource } from './drag-booking-attributes.ts'
import { type HiddenColumns, isShown } from './hidden-day-columns.ts'
import { type BookingToMove, canProvide, freeTimeButtons, isOtherBooking } from './move-booking-in-day-view.ts'

export const spansOf = (there: Day['resources'][number]['there']): Span[] =>
  there.map(({ start, end }) => [Date.parse(start), Date.parse(end)])

/**
 * Returns the columns of the day view. Each visible staff member has a column. A visible room or item has a column if
 * an entry, such as a booking, uses it on this day. Bookings without a known person, room or item share one column.
 */
export function columnsOf(
  day: Day,
  allEntries: readonly DayEntry[],
  deskRequest: DeskRequest,
  {
    now,
    definition,
    hiddenColumns,
  }: { now: number; definition: BusinessDefinition | undefined; hiddenColumns: HiddenColumns },
): Column[] {
  const { say } = deskRequest.request.localizer
  const resourceIds = new Set(day.resources.map(({ id }) => id))
  const isWanted = new Set((definition?.resources ?? []).flatMap((one) => (isShown(hiddenColumns, one) ? one.id : [])))
  const shown = new Set<DayEntry>()
  const isAgain = (entries: readonly DayEntry[]) => {
    const isShown = entries.length > 0 && entries.every((one) => shown.has(one))
    for (const one of entries) shown.add(one)
    return isShown
  }
  const entriesById = entriesByResource(allEntries)
  const unassigned = allEntries.filter(({ resources }) => !resources.some((id) => resourceIds.has(id)))
  const { date } = day
  const hueOf = huesOf(definition?.resources)
  const services = servicesByResource(definition)
  return [
    ...day.resources
      .map((one) => ({ ...one, entries: entriesById.get(one.id) ?? [] }))
      .filter(({ id, type, entries }) => isWanted.has(id) && (entries.length > 0 || type === 'staff'))
      .map(({ id, name, there, entries }) => ({
        date,
        name,
        workingTimes: spansOf(there),
        entries,
        isShownElsewhere: isAgain(entries),
        heading: heading(
          { id, name, date, hue: hueOf(id) },
          deskRequest,
          now < startOfDay(day.timezone, daysLater(date, 1)),
        ),
        data: {
          book: isAllowed(deskRequest.who, book) && bookingAddress(id, date),
          to: id,
          services: services.get(id) ?? '',
        },
      })),
    ...(unassigned.length > 0
      ? [
          {
            date,
            name: say('desk.nobody'),
            workingTimes: undefined,
            entries: unassigned,
            heading: say('desk.nobody'),
            isShownElsewhere: isAgain(unassigned),
          },
        ]
      : []),
  ]
}

export const bookingAddress = (person: string, date: string) =>
  `/desk/book?${new URLSearchParams({ date, with: person })}`

/** The heading of a column in the day view: the name of the person or room, with a menu. */
function heading(
  { id, name, date, hue }: { id: string; name: string; date: string; hue: number },
  { who, request }: DeskRequest,
  isYet: boolean,
): Content {
  const { say } = request.localizer
  const week = `/desk?${new URLSearchParams({ date, view: 'week', with: id })}`
  const away = `/desk/away?${new URLSearchParams({ with: id, date })}`
  const link = (address: string, text: string) => html`<li><a href="${address}">${text}</a></li>`
  return html`<details class="person"><summary><span class="avatar hue${hue}" aria-hidden="true">${initials(name)}</span><span class="name">${name}</span>${icon('open')}</summary><div class="menu"><ul>${link(week, say('desk.person.week', { name }))}${isAllowed(who, book) && link(bookingAddress(id, date), say('desk.book.with', { name }))}${isYet && isAllowed(who, clearTime) && link(away, say('desk.away.with', { name }))}${isAllowed(who, applyDefinition) && link(`/desk/setup/resources/${id}`, say('desk.person.hours'))}${isAllowed(who, connectCalendar) && link(`/desk/calendars?${new URLSearchParams({ with: id })}`, say('desk.calendars'))}</ul></div></details>`
}

/** Returns the first letters of the first two words, such as "JS" for "Jane Smith". */
const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')

/**
 * Returns the columns of the day view while staff move a booking. Each person or room that can take the booking has a
 * column with free times.
 */
export function columnsForMove(
  day: Day,
  allEntries: readonly DayEntry[],
  deskRequest: DeskRequest,
  { bookingToMove, now }: { bookingToMove: BookingToMove; now: number },
): Column[] {
  const entriesById = entriesByResource(allEntries.filter((one) => isOtherBooking(bookingToMove, one)))
  return day.resources
    .filter(({ id }) => canProvide(bookingToMove, id))
    .map(({ id, name, there }) => {
      const entries = entriesById.get(id) ?? []
      const column = { id, workingTimes: spansOf(there), entries }
      return {
        date: day.date,
        name,
        heading: name,
        ...column,
        freeTimes: freeTimeButtons(bookingToMove, column, deskRequest, now),
      }
    })
}

import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { readWholeDay } from '../../domain/desk/hours/read-day-of-business.ts'
import { dayText } from '../../infra/i18n/format-times.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import { dateIn, startOfDay } from '../../infra/time/time-zone.ts'
import { html } from '../../infra/util/html-template.ts'
import { readDensity } from './calendar-density.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { columnsForMove, columnsOf } from './day-columns.ts'
import { dayEntries } from './day-entries.ts'
import { grid } from './day-grid.ts'
import { dayBar } from './day-navigation-bar.ts'
import { demoNote } from './demo-note.ts'
import type { DeskView } from './desk-page.ts'
import { dragTexts } from './drag-booking-attributes.ts'
import { readHiddenColumns } from './hidden-day-columns.ts'
import { readDay } from './local-time-input.ts'
import { findBookingToMove, moveNote } from './move-booking-in-day-view.ts'
import { undoOnDay } from './undo-booking-move.ts'

/**
 * The page with one day of all people and rooms. A wide screen shows the columns side by side, and a phone shows one
 * column at a time.
 */
export async function dayPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const date = readDay(query.get('date'))
  const answer = await callAsStaff(readWholeDay, { ...(date !== undefined && { date }) }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const day = answer.result
  const definition = await dependencies.business.get()
  const { localizer } = deskRequest.request
  const now = dependencies.clock().getTime()
  const today = dateIn(day.timezone, now)
  const bookingToMove = await findBookingToMove(query.get('put'), deskRequest, dependencies)
  const hiddenColumns = readHiddenColumns(deskRequest.request, dependencies)
  const entries = await dayEntries(day, definition, localizer)
  const columns = bookingToMove
    ? columnsForMove(day, entries, deskRequest, { bookingToMove, now })
    : columnsOf(day, entries, deskRequest, { now, definition, hiddenColumns })
  // While staff move a booking, each free time is a button. In the compact calendar, these buttons would be too small.
  const density = bookingToMove ? 'roomy' : readDensity(deskRequest.request, dependencies)
  const gridContext = { label: localizer.say('desk.day'), zone: day.timezone, now, localizer, density }
  const shown =
    columns.length > 0 &&
    (await grid(columns, gridContext, isAllowed(deskRequest.who, reschedule) && !bookingToMove && dragTexts(localizer)))
  const noon = new Date(startOfDay(day.timezone, day.date) + 12 * HOUR)
  const title = dayText(localizer, noon, day.timezone)
  const shortTitle = localizer.dates(day.timezone, { weekday: 'short', month: 'short', day: 'numeric' }).format(noon)
  const empty = html`<p class="note">${localizer.say(bookingToMove ? 'desk.put.none' : 'desk.day.empty')}</p>`
  return {
    status: 200,
    title,
    who: deskRequest.who,
    ...(day.date === today && { place: 'today' }),
    layout: 'calendar',
    body: html`${dayBar({ title, shortTitle, date: day.date, today, density, ...(bookingToMove && { bookingToMove: bookingToMove.booking.id }) }, definition, hiddenColumns, deskRequest)}
${await demoNote(deskRequest, dependencies)}${bookingToMove ? moveNote(bookingToMove, deskRequest) : await undoOnDay(query, deskRequest, day.timezone, dependencies)}
${bookingToMove ? html`<form method="post" action="/desk/bookings/${bookingToMove.booking.id}/move">${shown || empty}</form>` : shown || empty}`,
  }
}

import { book } from '../../domain/desk/bookings/create-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { readWholeDay } from '../../domain/desk/hours/read-day-of-business.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import { dateIn, daysLater, startOfDay } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import { weekOf, weekStartOf } from '../booking-flow/calendar-weeks.ts'
import { readDensity } from './calendar-density.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { bookingAddress, spansOf } from './day-columns.ts'
import { type Day, type DayEntry, dayEntries } from './day-entries.ts'
import { type CalendarContext, classOfColumns, grid } from './day-grid.ts'
import { dayBar } from './day-navigation-bar.ts'
import type { DeskView } from './desk-page.ts'
import { dragTexts, servicesByResource } from './drag-booking-attributes.ts'
import { isShown, readHiddenColumns } from './hidden-day-columns.ts'
import { readDay } from './local-time-input.ts'

/**
 * The page with seven days side by side. For one person or room, the page shows a grid. For all people and rooms, the
 * page shows lists, because a grid would be too small to read.
 */
export async function weekPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  const definition = await dependencies.business.get()
  const zone = definition?.business.timezone ?? 'UTC'
  const now = dependencies.clock().getTime()
  const today = dateIn(zone, now)
  const date = readDay(query.get('date')) ?? today
  const first = weekOf(date, weekStartOf(localizer.locale))
  const dates = Array.from({ length: 7 }, (_, nth) => daysLater(first, nth))
  const answers = await Promise.all(
    dates.map((one) => callAsStaff(readWholeDay, { date: one }, deskRequest, dependencies)),
  )
  const days = answers.flatMap((one) => (one.refusal ? [] : one.result))
  if (days.length < dates.length) return undefined
  const person = definition?.resources?.find(({ id }) => id === query.get('with'))
  const hiddenColumns = readHiddenColumns(deskRequest.request, dependencies)
  const noon = (day: string) => new Date(startOfDay(zone, day) + 12 * HOUR)
  const dayName = (day: string) =>
    localizer.dates(zone, { weekday: 'short', month: 'short', day: 'numeric' }).format(noon(day))
  const heading = (day: string) =>
    html`<a href="/desk?date=${day}"${day === today && html` aria-current="date"`}>${dayName(day)}</a>`
  const week: DayOfWeek[] = []
  for (const day of days) {
    const entries = await dayEntries(person ? dayOfResource(day, person.id) : day, definition, localizer)
    week.push({ day, heading: heading(day.date), entries })
  }
  const density = readDensity(deskRequest.request, dependencies)
  const gridContext = { label: localizer.say('desk.week'), zone, now, localizer, density }
  const services = servicesByResource(definition)
  const resourcesById = new Map(definition?.resources?.map((one) => [one.id, one]))
  const isSeen = ({ resources }: DayEntry) => {
    const its = resources.flatMap((id) => resourcesById.get(id) ?? [])
    return its.length === 0 || its.some((one) => isShown(hiddenColumns, one))
  }
  const body = person
    ? await grid(
        week.map(({ day, heading, entries }) => ({
          date: day.date,
          name: dayName(day.date),
          heading,
          entries,
          workingTimes: spansOf(day.resources.find(({ id }) => id === person.id)?.there ?? []),
          data: {
            book: isAllowed(deskRequest.who, book) && bookingAddress(person.id, day.date),
            to: person.id,
            services: services.get(person.id) ?? '',
          },
        })),
        gridContext,
        isAllowed(deskRequest.who, reschedule) && dragTexts(localizer),
      )
    : await lists(
        week.map((one) => ({ ...one, entries: one.entries.filter(isSeen) })),
        gridContext,
      )
  const range = localizer
    .dates(zone, { month: 'short', day: 'numeric', year: 'numeric' })
    .formatRange(noon(first), noon(dates.at(-1) ?? first))
  const title = person ? `${person.name}, ${range}` : range
  return {
    status: 200,
    title,
    who: deskRequest.who,
    layout: 'calendar',
    body: html`${dayBar({ title, date, today, view: 'week', density, ...(person && { person: person.id }) }, definition, hiddenColumns, deskRequest)}
${body}`,
  }
}

interface DayOfWeek {
  day: Day
  heading: Content
  entries: readonly DayEntry[]
}

const dayOfResource = (day: Day, resource: string): Day => ({
  ...day,
  bookings: day.bookings.filter(({ resource_ids }) => resource_ids.includes(resource)),
  sessions: day.sessions.filter(({ resource_ids }) => resource_ids.includes(resource)),
  blocks: day.blocks.filter(({ resource_id }) => resource_id === resource),
  busy: day.busy.filter(({ resource_id }) => resource_id === resource),
  holds: day.holds.filter(({ resource_id }) => resource_id === resource),
})

/** The lists of seven days with the entries of all people and rooms. */
export async function lists(
  week: readonly DayOfWeek[],
  { label, localizer, density }: Pick<CalendarContext, 'label' | 'localizer' | 'density'>,
): Promise<Content> {
  const sections: Content[] = []
  for (const { day, heading, entries } of week) {
    const names = new Map(day.resources.map(({ id, name }) => [id, name]))
    const items = await mapWithYields(
      entries,
      ({ kind, hue, body, resources }) =>
        html`<li class="thing ${kind}${hue !== undefined && ` hue${hue}`}">${body}<span class="line soft">${localizer.list(resources.flatMap((id) => names.get(id) ?? []))}</span></li>
`,
    )
    sections.push(html`<section><h2>${heading}</h2><ol>
${items}</ol></section>
`)
  }
  return html`<div class="${classOfColumns(density, 'lists')}" tabindex="0" role="region" aria-label="${label}">
${sections}</div>`
}

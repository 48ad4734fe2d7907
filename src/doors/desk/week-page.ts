import { type Content, html } from '../../basics/html.ts'
import { book } from '../../desk/bookings/book.ts'
import { reschedule } from '../../desk/bookings/reschedule.ts'
import { readWholeDay } from '../../desk/hours/read-whole-day.ts'
import { HOUR } from '../../time/units.ts'
import { dateIn, daysLater, startOfDay } from '../../time/zone.ts'
import { weekOf, weekStartOf } from '../book/weeks.ts'
import { isShown, leftOut } from './columns-shown.ts'
import { dayBar } from './day-bar.ts'
import { bookAt, spansOf } from './day-columns.ts'
import { type Day, type Thing, thingsOf } from './day-things.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'
import { dragTexts, servicesByResource } from './dragging.ts'
import { grid } from './grid.ts'
import { daySaid } from './local-time.ts'

/** Seven days side by side: of one person as a grid, of everybody as lists, which stay legible however many they are. */
export async function weekPage(
  query: URLSearchParams,
  asking: Asking,
  means: DeskMeans,
): Promise<DeskView | undefined> {
  const { speech } = asking.request
  const definition = await means.business.get()
  const zone = definition?.business.timezone ?? 'UTC'
  const now = means.clock().getTime()
  const today = dateIn(zone, now)
  const date = daySaid(query.get('date')) ?? today
  const first = weekOf(date, weekStartOf(speech.locale))
  const dates = Array.from({ length: 7 }, (_, nth) => daysLater(first, nth))
  const answers = await Promise.all(dates.map((one) => ask(readWholeDay, { date: one }, asking, means)))
  const days = answers.flatMap((one) => (one.refusal ? [] : one.result))
  if (days.length < dates.length) return undefined
  const person = definition?.resources?.find(({ id }) => id === query.get('with'))
  const out = leftOut(asking.request, means)
  const noon = (day: string) => new Date(startOfDay(zone, day) + 12 * HOUR)
  const heading = (day: string) =>
    html`<a href="/desk?date=${day}"${day === today && html` aria-current="date"`}>${speech.dates(zone, { weekday: 'short', month: 'short', day: 'numeric' }).format(noon(day))}</a>`
  const week = days.map((day) => ({ day, heading: heading(day.date), things: thingsOf(day, definition, speech) }))
  const look = { label: speech.say('desk.week'), zone, now, speech }
  const services = servicesByResource(definition)
  const isSeen = ({ resources }: Thing) => {
    const known = (definition?.resources ?? []).filter(({ id }) => resources.includes(id))
    return known.length === 0 || known.some((one) => isShown(out, one))
  }
  const body = person
    ? grid(
        week.map(({ day, heading, things }) => ({
          ...{ date: day.date, heading, things: things.filter(({ resources }) => resources.includes(person.id)) },
          there: spansOf(day.resources.find(({ id }) => id === person.id)?.there ?? []),
          data: {
            ...{ book: may(asking.who, book) && bookAt(person.id, day.date), to: person.id },
            services: services.get(person.id) ?? '',
          },
        })),
        look,
        may(asking.who, reschedule) && dragTexts(speech),
      )
    : lists(
        week.map((one) => ({ ...one, things: one.things.filter(isSeen) })),
        look,
      )
  return {
    status: 200,
    title: speech
      .dates(zone, { month: 'long', day: 'numeric', year: 'numeric' })
      .formatRange(noon(first), noon(dates.at(-1) ?? first)),
    who: asking.who,
    wide: true,
    body: html`${dayBar({ date, today, view: 'week', ...(person && { person: person.id }) }, definition, out, speech)}
${person && html`<h2>${person.name}</h2>`}${body}`,
  }
}

function lists(
  week: readonly { day: Day; heading: Content; things: readonly Thing[] }[],
  { label, speech }: { label: string; speech: Asking['request']['speech'] },
): Content {
  const namesIn = ({ resources }: Day, { resources: its }: Thing) =>
    resources.flatMap(({ id, name }) => (its.includes(id) ? name : []))
  return html`<div class="columns lists" tabindex="0" role="region" aria-label="${label}">
${week.map(
  ({ day, heading, things }) => html`<section><h2>${heading}</h2><ol>
${things.map(
  (
    one,
  ) => html`<li class="thing ${one.kind}">${one.body}<span class="soft">${speech.list(namesIn(day, one))}</span></li>
`,
)}</ol></section>
`,
)}</div>`
}

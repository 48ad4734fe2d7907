import type { Span } from '../../availability/spans.ts'
import { type Content, html } from '../../basics/html.ts'
import { clearTime } from '../../desk/away/clear-time.ts'
import { book } from '../../desk/bookings/book.ts'
import { reschedule } from '../../desk/bookings/reschedule.ts'
import { readWholeDay } from '../../desk/hours/read-whole-day.ts'
import type { Speech } from '../../languages/speech.ts'
import { dayText } from '../../languages/times.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { HOUR } from '../../time/units.ts'
import { dateIn, daysLater, startOfDay } from '../../time/zone.ts'
import { type Day, type Thing, thingsOf } from './day-things.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'
import { dragTexts, servicesByResource } from './dragging.ts'
import { type Column, grid } from './grid.ts'
import { daySaid } from './local-time.ts'
import { gapsFor, isFor, isOther, type TakenUp, takenUp, whatIsPut } from './put-elsewhere.ts'
import { undoOnDay } from './undo-move.ts'

/** Everybody's day: a column for each on a wide screen, one list after the other on a phone. */
export async function dayPage(query: URLSearchParams, asking: Asking, means: DeskMeans): Promise<DeskView | undefined> {
  const date = daySaid(query.get('date'))
  const answer = await ask(readWholeDay, { ...(date !== undefined && { date }) }, asking, means)
  if (answer.refusal) return undefined
  const day = answer.result
  const definition = await means.business.get()
  const { speech } = asking.request
  const now = means.clock().getTime()
  const today = dateIn(day.timezone, now)
  const put = await takenUp(query.get('put'), asking, means)
  const things = thingsOf(day, definition, speech)
  const columns = put ? columnsToPut(day, things, put, asking, now) : columnsOf(day, things, asking, now, definition)
  const look = { label: speech.say('desk.day'), zone: day.timezone, now, speech }
  const shown = columns.length > 0 && grid(columns, look, may(asking.who, reschedule) && !put && dragTexts(speech))
  const empty = html`<p class="note">${speech.say(put ? 'desk.put.none' : 'desk.day.empty')}</p>`
  return {
    status: 200,
    title: dayText(speech, new Date(startOfDay(day.timezone, day.date) + 12 * HOUR), day.timezone),
    who: asking.who,
    ...(day.date === today && { place: 'today' }),
    wide: true,
    body: html`${put ? whatIsPut(put, asking) : await undoOnDay(query, asking, day.timezone, means)}
${otherDays(day.date, today, put, speech)}
${put ? html`<form method="post" action="/desk/bookings/${put.booking.id}/move">${shown || empty}</form>` : shown || empty}`,
  }
}

function otherDays(date: string, today: string, put: TakenUp | undefined, { say }: Speech): Content {
  const to = (day: string) => `/desk?${new URLSearchParams({ date: day, ...(put && { put: put.booking.id }) })}`
  return html`<div class="week">
<a class="button plain" href="${to(daysLater(date, -1))}">${say('desk.day.before')}</a>
${date !== today && html`<a class="button plain" href="${put ? to(today) : '/desk'}">${say('desk.today')}</a>`}
<a class="button plain" href="${to(daysLater(date, 1))}">${say('desk.day.after')}</a>
<form method="get" action="/desk">${put && html`<input type="hidden" name="put" value="${put.booking.id}">`}<label for="date">${say('desk.day')}</label><input id="date" type="date" name="date" value="${date}"><button class="plain">${say('desk.day.show')}</button></form>
</div>`
}

const spansOf = (there: Day['resources'][number]['there']): Span[] =>
  there.map(({ start, end }) => [Date.parse(start), Date.parse(end)])

/** Who works, and whatever is taken up. */
function columnsOf(
  day: Day,
  things: readonly Thing[],
  asking: Asking,
  now: number,
  definition: BusinessDefinition | undefined,
): Column[] {
  const { say } = asking.request.speech
  const known = new Set(day.resources.map(({ id }) => id))
  const shown = new Set<Thing>()
  const isAgain = (of: readonly Thing[]) => {
    const isShown = of.length > 0 && of.every((one) => shown.has(one))
    for (const one of of) shown.add(one)
    return isShown
  }
  const ofNobody = things.filter(({ resources }) => !resources.some((id) => known.has(id)))
  const { date } = day
  const services = servicesByResource(definition)
  return [
    ...day.resources
      .map((one) => ({ ...one, of: things.filter(({ resources }) => resources.includes(one.id)) }))
      .filter(({ type, of }) => of.length > 0 || type === 'staff')
      .map(({ id, name, there, of }) => ({
        ...{ date, there: spansOf(there), things: of, isAgain: isAgain(of) },
        heading: heading({ id, name, date }, asking, now < startOfDay(day.timezone, daysLater(date, 1))),
        data: { book: may(asking.who, book) && bookAt(id, date), to: id, services: services.get(id) ?? '' },
      })),
    ...(ofNobody.length > 0
      ? [{ date, there: undefined, things: ofNobody, heading: say('desk.nobody'), isAgain: isAgain(ofNobody) }]
      : []),
  ]
}

const bookAt = (person: string, date: string) => `/desk/book?${new URLSearchParams({ date, with: person })}`

function heading(
  { id, name, date }: { id: string; name: string; date: string },
  { who, request }: Asking,
  isYet: boolean,
): Content {
  const { say } = request.speech
  const away = `/desk/away?${new URLSearchParams({ with: id, date })}`
  return html`${name}${may(who, book) && html` <a class="add" href="${bookAt(id, date)}" aria-label="${say('desk.book.with', { name })}">+</a>`}${isYet && may(who, clearTime) && html` <a class="away" href="${away}" aria-label="${say('desk.away.with', { name })}">${say('desk.away')}</a>`}`
}

/** Whoever and whatever may have it, with what is free. */
function columnsToPut(day: Day, things: readonly Thing[], put: TakenUp, asking: Asking, now: number): Column[] {
  return day.resources
    .filter(({ id }) => isFor(put, id))
    .map(({ id, name, there }) => {
      const of = things.filter((one) => one.resources.includes(id) && isOther(put, one))
      const theirs = { id, there: spansOf(there), things: of }
      return { date: day.date, heading: name, ...theirs, gaps: gapsFor(put, theirs, asking, now) }
    })
}

import { type Content, html } from '../../basics/html.ts'
import { clearTime } from '../../desk/away/clear-time.ts'
import { book } from '../../desk/bookings/book.ts'
import { readWholeDay } from '../../desk/hours/read-whole-day.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'
import { clockRange, clockText, dayText } from '../../languages/times.ts'
import type { GetBusinessDay } from '../../protocol/types.generated.ts'
import { HOUR, MINUTE } from '../../time/units.ts'
import { dateIn, daysLater, startOfDay, wholeDays } from '../../time/zone.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'
import { ROW_MINUTES } from './desk-style.ts'
import { localText } from './local-time.ts'

type Day = GetBusinessDay['output']

/** Something that takes up somebody's time. */
interface Thing {
  from: number
  to: number
  resources: readonly string[]
  kind: string
  body: Content
}

/** Everybody's day: a column for each on a wide screen, one list after the other on a phone. */
export async function dayPage(
  date: string | undefined,
  asking: Asking,
  means: DeskMeans,
): Promise<DeskView | undefined> {
  const answer = await ask(readWholeDay, { ...(date !== undefined && { date }) }, asking, means)
  if (answer.refusal) return undefined
  const day = answer.result
  const services = new Map((await means.business.get())?.services.map(({ id, name }) => [id, name]))
  const { speech } = asking.request
  const now = means.clock().getTime()
  const noon = new Date(startOfDay(day.timezone, day.date) + 12 * HOUR)
  const today = dateIn(day.timezone, now)
  return {
    status: 200,
    title: dayText(speech, noon, day.timezone),
    who: asking.who,
    ...(day.date === today && { place: 'today' }),
    wide: true,
    body: html`${otherDays(day.date, today, speech)}${columns(day, thingsOf(day, services, speech), asking, now)}`,
  }
}

const otherDays = (date: string, today: string, { say }: Speech): Content => html`<div class="week">
<a class="button plain" href="/desk?date=${daysLater(date, -1)}">${say('desk.day.before')}</a>
${date !== today && html`<a class="button plain" href="/desk">${say('desk.today')}</a>`}
<a class="button plain" href="/desk?date=${daysLater(date, 1)}">${say('desk.day.after')}</a>
<form method="get" action="/desk"><label for="date">${say('desk.day')}</label><input id="date" type="date" name="date" value="${date}"><button class="plain">${say('desk.day.show')}</button></form>
</div>`

function columns(day: Day, things: Thing[], { who, request: { speech } }: Asking, now: number): Content {
  const { say } = speech
  // The usual hours of work, and from the hour in which something begins to the hour in which the last ends. What is blocked
  // until the end of the day needs no room until then.
  const [midnight, nextMidnight] = wholeDays(day.timezone, day.date)
  const begins = things.filter(({ kind, from }) => kind !== 'block' || from > midnight)
  const ends = things.filter(({ kind, to }) => kind !== 'block' || to < nextMidnight)
  const first = Math.floor(Math.min(midnight + 9 * HOUR, ...begins.map(({ from }) => from)) / HOUR) * HOUR
  const last = Math.ceil(Math.max(midnight + 17 * HOUR, ...ends.map(({ to }) => to)) / HOUR) * HOUR
  const row = (instant: number) =>
    Math.round((Math.min(Math.max(instant, first), last) - first) / (ROW_MINUTES * MINUTE))
  const place = ({ from, to }: { from: number; to: number }) => `at${row(from)} for${row(to) - row(from)}`
  const line = now >= first && now <= last && html`<li class="now at${row(now)} for1" aria-hidden="true"></li>`
  const known = new Set(day.resources.map(({ id }) => id))
  const groups = [
    ...day.resources.map((one) => ({ ...one, of: things.filter(({ resources }) => resources.includes(one.id)) })),
    { name: say('desk.nobody'), of: things.filter(({ resources }) => !resources.some((id) => known.has(id))) },
  ].filter((one) => one.of.length > 0 || ('type' in one && one.type === 'staff'))
  if (groups.length === 0) return html`<p class="note">${say('desk.day.empty')}</p>`
  const shown = new Set<Thing>()
  const isAllShown = (of: Thing[]) => {
    const isShown = of.every((one) => shown.has(one))
    for (const one of of) shown.add(one)
    return isShown
  }
  const mayBook = may(who, book)
  const bookAt = (person: string) => `/desk/book?${new URLSearchParams({ date: day.date, with: person })}`
  const awayFrom = (person: string) => `/desk/away?${new URLSearchParams({ with: person, date: day.date })}`
  const mayClear = may(who, clearTime) && now < nextMidnight
  const heading = ({ id, name }: { id?: string; name: string }): Content =>
    id === undefined
      ? name
      : html`${name}${mayBook && html` <a class="add" href="${bookAt(id)}" aria-label="${say('desk.book.with', { name })}">+</a>`}${mayClear && html` <a class="away" href="${awayFrom(id)}" aria-label="${say('desk.away.with', { name })}">${say('desk.away')}</a>`}`
  const hours = Array.from({ length: (last - first) / HOUR }, (_, nth) => first + nth * HOUR)
  return html`<div class="columns" tabindex="0" role="region" aria-label="${say('desk.day')}">
<section class="hours" aria-hidden="true"><h2>&nbsp;</h2><ol>${hours.map((hour) => html`<li class="at${row(hour)} for${60 / ROW_MINUTES}">${clockText(speech, new Date(hour), day.timezone)}</li>`)}</ol></section>
${groups.map(
  (
    one,
  ) => html`<section${one.of.length > 0 && isAllShown(one.of) && html` class="again"`}><h2>${heading(one)}</h2><ol${'id' in one && mayBook && html` data-book="${bookAt(one.id)}" data-first="${localText(day.timezone, first).slice('YYYY-MM-DDT'.length)}"`}>
${one.of.map(
  (one) => html`<li class="thing ${one.kind} ${place(one)}">${one.body}</li>
`,
)}${line}</ol></section>
`,
)}</div>`
}

function thingsOf(day: Day, services: ReadonlyMap<string, string>, speech: Speech): Thing[] {
  const { say } = speech
  const time = (one: { start: string; end: string }) => clockRange(speech, one, day.timezone)
  const spanOf = ({ start, end }: { start: string; end: string }) => ({ from: Date.parse(start), to: Date.parse(end) })
  return [
    ...day.bookings.map((one) => ({
      ...spanOf(one),
      resources: one.resource_ids,
      kind: one.status,
      body: html`<a href="/desk/bookings/${one.id}">${one.status !== 'confirmed' && html`<span class="state">${say(`desk.state.${one.status}` as Message)}</span>`}<strong>${one.name}</strong><br>${time(one)} · ${one.service_name}${one.party_size > 1 && ` · ${say('booking.people', { count: one.party_size })}`}</a>`,
    })),
    ...day.sessions.map((one) => ({
      ...spanOf(one),
      resources: one.resource_ids,
      kind: 'session',
      body: html`<a href="/desk/classes/${one.id}"><span class="state">${one.taken}/${one.capacity}</span><strong>${services.get(one.service_id) ?? one.service_id}</strong><br>${time(one)}</a>`,
    })),
    ...day.blocks.map((one) => ({
      ...spanOf(one),
      resources: [one.resource_id],
      kind: 'block',
      body: html`<strong>${one.reason ?? say('desk.blocked')}</strong><br>${time(one)}`,
    })),
    ...day.holds.map((one) => ({
      ...spanOf(one),
      resources: [one.resource_id],
      kind: 'kept',
      body: html`${say('desk.kept')}<br>${time(one)}`,
    })),
  ].toSorted((one, other) => one.from - other.from)
}

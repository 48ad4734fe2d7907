import type { Span } from '../../domain/availability/spans.ts'
import { clearTime } from '../../domain/desk/away/clear-time.ts'
import { book } from '../../domain/desk/bookings/book.ts'
import { daysLater, startOfDay } from '../../infra/time/zone.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { isShown, type LeftOut } from './columns-shown.ts'
import { byResource, type Day, type Thing } from './day-things.ts'
import { type Asking, may } from './desk-calls.ts'
import { servicesByResource } from './dragging.ts'
import type { Column } from './grid.ts'
import { gapsFor, isFor, isOther, type TakenUp } from './put-elsewhere.ts'

export const spansOf = (there: Day['resources'][number]['there']): Span[] =>
  there.map(({ start, end }) => [Date.parse(start), Date.parse(end)])

/** Columns for visible staff, and for other visible resources in use. Entries without a known resource share one column. */
export function columnsOf(
  day: Day,
  things: readonly Thing[],
  asking: Asking,
  now: number,
  { definition, out }: { definition: BusinessDefinition | undefined; out: LeftOut },
): Column[] {
  const { say } = asking.request.speech
  const known = new Set(day.resources.map(({ id }) => id))
  const isWanted = new Set((definition?.resources ?? []).flatMap((one) => (isShown(out, one) ? one.id : [])))
  const shown = new Set<Thing>()
  const isAgain = (of: readonly Thing[]) => {
    const isShown = of.length > 0 && of.every((one) => shown.has(one))
    for (const one of of) shown.add(one)
    return isShown
  }
  const ofEach = byResource(things)
  const ofNobody = things.filter(({ resources }) => !resources.some((id) => known.has(id)))
  const { date } = day
  const services = servicesByResource(definition)
  return [
    ...day.resources
      .map((one) => ({ ...one, of: ofEach.get(one.id) ?? [] }))
      .filter(({ id, type, of }) => isWanted.has(id) && (of.length > 0 || type === 'staff'))
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

export const bookAt = (person: string, date: string) => `/desk/book?${new URLSearchParams({ date, with: person })}`

function heading(
  { id, name, date }: { id: string; name: string; date: string },
  { who, request }: Asking,
  isYet: boolean,
): Content {
  const { say } = request.speech
  const week = `/desk?${new URLSearchParams({ date, view: 'week', with: id })}`
  const away = `/desk/away?${new URLSearchParams({ with: id, date })}`
  return html`<a href="${week}">${name}</a>${may(who, book) && html` <a class="add" href="${bookAt(id, date)}" aria-label="${say('desk.book.with', { name })}">+</a>`}${isYet && may(who, clearTime) && html` <a class="away" href="${away}" aria-label="${say('desk.away.with', { name })}">${say('desk.away')}</a>`}`
}

/** Columns of the resources that can take the moved booking, with their free times. */
export function columnsToPut(day: Day, things: readonly Thing[], put: TakenUp, asking: Asking, now: number): Column[] {
  const ofEach = byResource(things.filter((one) => isOther(put, one)))
  return day.resources
    .filter(({ id }) => isFor(put, id))
    .map(({ id, name, there }) => {
      const of = ofEach.get(id) ?? []
      const theirs = { id, there: spansOf(there), things: of }
      return { date: day.date, heading: name, ...theirs, gaps: gapsFor(put, theirs, asking, now) }
    })
}

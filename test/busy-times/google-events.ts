import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'

export interface Moment {
  date?: string
  dateTime?: string
  timeZone?: string
}

/** An event as Google stores it. `version` is the number of the change that wrote it. */
export interface StoredEvent {
  id: string
  status: 'confirmed' | 'tentative' | 'cancelled'
  version: number
  iCalUID: string
  summary?: string
  start?: Moment
  end?: Moment
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: Moment
  transparency?: string
  attendees?: { email: string; self?: boolean; responseStatus: string }[]
}

const zoned = (moment: Moment): Temporal.ZonedDateTime => {
  const zone = moment.timeZone ?? 'America/New_York'
  if (moment.date !== undefined) return Temporal.PlainDate.from(moment.date).toZonedDateTime('UTC')
  return Temporal.Instant.from(moment.dateTime ?? '').toZonedDateTimeISO(zone)
}

/** Google writes an instant with the difference of the time zone of the calendar from UTC. */
const written = (moment: Moment, at: Temporal.ZonedDateTime): Moment =>
  moment.date !== undefined
    ? { date: at.toPlainDate().toString() }
    : { dateTime: at.toString({ timeZoneName: 'never' }), timeZone: at.timeZoneId }

const instantOf = (moment: Moment | undefined): number => {
  try {
    return moment ? zoned(moment).epochMilliseconds : Number.NaN
  } catch {
    return Number.NaN
  }
}

export const endOf = ({ end }: StoredEvent): number => instantOf(end)
export const startOf = ({ start }: StoredEvent): number => instantOf(start)

/** The last instance that anybody can ask for. Without an end of the list, Google goes on for very long. */
const END = Date.UTC(2099, 0)

/** The instances of a repeating event until an instant, without its exceptions. */
export function* instancesOf(master: StoredEvent, until = END): Generator<StoredEvent> {
  const { start, end, recurrence = [], ...rest } = master
  if (!start || !end) return
  const [first, last] = [zoned(start), zoned(end)]
  const excluded = recurrence
    .filter((line) => line.startsWith('EXDATE'))
    .flatMap((line) => line.split(':').at(-1)?.split(',') ?? [])
  const rule = recurrence.find((line) => line.startsWith('RRULE:'))?.slice(6)
  if (rule === undefined) return
  const times = ICAL.Recur.fromString(rule).iterator(
    ICAL.Time.fromString(first.toPlainDateTime().toString(), undefined),
  )
  for (let time = times.next(); time; time = times.next()) {
    const at = Temporal.PlainDateTime.from(time.toString()).toZonedDateTime(first.timeZoneId)
    if (at.epochMilliseconds > until) return
    const name = at
      .toInstant()
      .toString()
      .replace(/[-:]|\.\d+/g, '')
    if (excluded.includes(name)) continue
    const shift = at.toPlainDateTime().since(first.toPlainDateTime())
    const id = `${master.id}_${start.date === undefined ? name : name.slice(0, 8)}`
    yield {
      ...rest,
      id,
      recurringEventId: master.id,
      originalStartTime: written(start, at),
      start: written(start, at),
      end: written(end, last.add(shift)),
    }
  }
}

/** Leaves out all members that the parameter `fields` of the call does not name, such as `items(id,start)`. */
export function partial(document: unknown, fields: string | null): unknown {
  if (fields === null) return document
  if (Array.isArray(document)) return document.map((one) => partial(one, fields))
  if (typeof document !== 'object' || document === null) return document
  const wanted = new Map(
    [...fields.matchAll(/(\w+)(?:\(((?:[^()]|\([^()]*\))*)\))?/g)].map(([, name, inner]) => [name, inner ?? null]),
  )
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) =>
      wanted.has(name) ? [[name, partial(value, wanted.get(name) ?? null)]] : [],
    ),
  )
}

import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { SessionDefinition } from '../protocol/types.generated.ts'
import { DAY, MINUTE, WEEKDAYS } from '../time/units.ts'
import { dateIn, daysLater, instantOf, startOfDay } from '../time/zone.ts'
import type { Plan } from './plan.ts'
import { covers, intersection, merged, type Span } from './spans.ts'
import { daysWithin } from './working-hours.ts'
import { workingTimeAt } from './working-time.ts'

/** A class that the definition wants to take place. */
export interface WantedSession {
  start: number
  end: number
  location: string | undefined
  resources: string[]
  capacity: number
}

/** Days of a class that are reckoned in one go: a business may have hundreds of classes, for years ahead. */
const PORTION = 28 * DAY

/** Every class of the service within this time for which the place is open and everybody needed is there. */
export const sessionsWithin = (plan: Plan, range: Span): WantedSession[] => inOrder([...sessionParts(plan, range)])

/** The same in parts, for who lets others have their turn in between. */
export function* sessionParts(plan: Plan, range: Span): Iterable<WantedSession[]> {
  for (const definition of plan.service.sessions ?? [])
    for (const days of portionsOf(daysOf(definition, plan.zone, range)))
      yield sessionsOn(plan, definition, days).filter(({ start }) => range[0] <= start && start < range[1])
}

/** Two rules may want the same hour; the one written first has it. */
export const inOrder = (parts: WantedSession[][]): WantedSession[] =>
  [
    ...new Map(
      parts
        .flat()
        .reverse()
        .map((session) => [session.start, session]),
    ).values(),
  ].sort((one, other) => one.start - other.start)

const portionsOf = (days: string[]) => Map.groupBy(days, (day) => Math.floor(Date.parse(day) / PORTION)).values()

function sessionsOn(plan: Plan, definition: SessionDefinition, days: string[]): WantedSession[] {
  const { service, durations, business, zone } = plan
  const [length = 0] = durations
  const location = definition.location ?? (plan.locations.length === 1 ? plan.locations[0] : undefined)
  const resources = (business.resources ?? []).filter(({ id }) => definition.resources?.includes(id))
  const workingTime = workingTimeAt(plan, spanOf(zone, days), location)
  const present = merged(resources.reduce((spans, one) => intersection(spans, workingTime.day(one)), workingTime.open))
  const [hour = 0, minute = 0] = definition.starts.split(':').map(Number)
  return days
    .map((day) => instantOf(zone, Date.parse(day) + (hour * 60 + minute) * MINUTE))
    .filter((start) => covers(present, start, start + length))
    .map((start) => ({
      start,
      end: start + length,
      location,
      resources: resources.map(({ id }) => id),
      capacity: definition.capacity ?? service.capacity?.max ?? 1,
    }))
}

/** From the first day to the end of the last: what starts at 24:00 is a part of the next. */
const spanOf = (zone: string, days: string[]): Span => [
  startOfDay(zone, days[0] ?? ''),
  startOfDay(zone, daysLater(days.at(-1) ?? '', 1)) + MINUTE,
]

function daysOf(definition: SessionDefinition, zone: string, range: Span): string[] {
  const { days, rrule, from = '', until = '9999-12-31' } = definition
  const on = rrule === undefined ? daysWithin(zone, range) : daysByRule(rrule, from, zone, range)
  return on
    .filter((day) => from <= day && day <= until)
    .filter((day) => !days || days.some((name) => name === WEEKDAYS[new Date(day).getUTCDay()]))
}

/** The rule says which days; the hour is local whatever the clocks do, so the rule itself is reckoned in plain days. */
function daysByRule(rrule: string, from: string, zone: string, range: Span): string[] {
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${from.replaceAll('-', '')}T000000Z\nRRULE:${rrule}` })
  const day = (instant: number) => Temporal.PlainDate.from(dateIn(zone, instant)).toZonedDateTime('UTC')
  return rule.between(day(range[0]), day(range[1]), true).map((date) => date.toPlainDate().toString())
}

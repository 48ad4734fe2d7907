import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { DAY, MINUTE, WEEKDAYS } from '../../infra/time/time-units.ts'
import { instantOf } from '../../infra/time/time-zone.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { SessionDefinition } from '../../protocol/types.generated.ts'
import { workingTimeAt } from './resource-working-times.ts'
import type { Plan } from './service-scheduling-plan.ts'
import { covers, intersection, merged, type Span } from './time-spans.ts'
import { daysWithin } from './working-hours-and-closures.ts'

export interface WantedSession {
  start: number
  end: number
  location: string | undefined
  resources: string[]
  capacity: number
}

const CHUNK_MS = 28 * DAY

/**
 * The class sessions (single dates of a class) of the service within the range. The result contains a session only if
 * its location is open, and all required people and rooms are at work.
 */
export const sessionsWithin = (plan: Plan, range: Span): WantedSession[] => [...sessionsInOrder(plan, range)]

export function* sessionsInOrder(plan: Plan, range: Span): Generator<WantedSession> {
  for (const sessions of sessionChunks(plan, range)) yield* inOrder(sessions)
}

/**
 * Yields the class sessions within the range in batches of four weeks. During the computation, the server gives other
 * work a turn on the event loop.
 */
export async function* sessionsInBatches(plan: Plan, range: Span): AsyncGenerator<WantedSession[]> {
  for (const sessions of sessionChunks(plan, range)) yield inOrder(await mapWithYields(sessions, (session) => session))
}

/**
 * Splits the range into parts of four weeks. For each part, yields the class sessions of each rule of the service, such
 * as every Monday. The function evaluates a rule only when the caller iterates to its sessions.
 */
function* sessionChunks(plan: Plan, [from, to]: Span): Generator<Iterable<WantedSession[]>> {
  const rules = (plan.service.sessions ?? []).map((definition) => ({ definition, isOn: dayFilter(definition) }))
  for (let start = from; start < to; start += CHUNK_MS)
    yield rules.values().map((rule) => sessionsOn(plan, rule, [start, Math.min(start + CHUNK_MS, to)]))
}

/**
 * Sorts class sessions by start. If two rules of the service give the same start, the result contains only the session
 * of the first rule.
 */
function inOrder(sessions: Iterable<WantedSession[]>): WantedSession[] {
  const first = new Map<number, WantedSession>()
  for (const session of [...sessions].flat()) if (!first.has(session.start)) first.set(session.start, session)
  return [...first.values()].sort((one, other) => one.start - other.start)
}

interface Rule {
  definition: SessionDefinition
  isOn: DayFilter
}

function sessionsOn(plan: Plan, { definition, isOn }: Rule, range: Span): WantedSession[] {
  const { service, durations, business, zone } = plan
  const [hour = 0, minute = 0] = definition.starts.split(':').map(Number)
  const startOn = (day: string) => instantOf(zone, Date.parse(day) + (hour * 60 + minute) * MINUTE)
  // A class session at 24:00 starts at midnight, but its rule names the day before. Therefore the search begins one
  // millisecond earlier, so that it includes the day before.
  const days = daysWithin(zone, [range[0] - 1, range[1]]).filter((day) => isWithin(startOn(day), range))
  const starts = isOn(days).map(startOn)
  const [first, last] = [starts[0], starts.at(-1)]
  if (first === undefined || last === undefined) return []
  const [length = 0] = durations
  const location = definition.location ?? (plan.locations.length === 1 ? plan.locations[0] : undefined)
  const resources = (business.resources ?? []).filter(({ id }) => definition.resources?.includes(id))
  const workingTime = workingTimeAt(plan, [first, last + MINUTE], location)
  const present = merged(resources.reduce((spans, one) => intersection(spans, workingTime.day(one)), workingTime.open))
  return starts
    .filter((start) => covers(present, start, start + length))
    .map((start) => ({
      start,
      end: start + length,
      location,
      resources: resources.map(({ id }) => id),
      capacity: definition.capacity ?? service.capacity?.max ?? 1,
    }))
}

const isWithin = (instant: number, [from, to]: Span) => from <= instant && instant < to

/** Selects the days on which the class takes place from a list of consecutive days. */
type DayFilter = (days: readonly string[]) => string[]

function dayFilter({ days, rrule, from = '', until = '9999-12-31' }: SessionDefinition): DayFilter {
  const byRule = rrule === undefined ? undefined : ruleFilter(rrule, from)
  return (all) => {
    const possible = all
      .filter((day) => from <= day && day <= until)
      .filter((day) => !days || days.some((name) => name === WEEKDAYS[new Date(day).getUTCDay()]))
    return byRule && possible.length > 0 ? byRule(possible) : possible
  }
}

/**
 * Makes a filter for days from a recurrence rule. The rule selects only days, not times of day. Therefore the server
 * evaluates the rule in UTC, where no clock change can shift a day.
 */
function ruleFilter(rrule: string, from: string): DayFilter {
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${from.replaceAll('-', '')}T000000Z\nRRULE:${rrule}` })
  const at = (day: string | undefined) => Temporal.PlainDate.from(day ?? from).toZonedDateTime('UTC')
  return (days) => {
    const found = rule.between(at(days[0]), at(days.at(-1)), true)
    const on = new Set(found.map((date) => date.toPlainDate().toString()))
    return days.filter((day) => on.has(day))
  }
}

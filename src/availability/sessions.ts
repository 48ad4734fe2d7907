import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { SessionDefinition } from '../protocol/types.generated.ts'
import { MINUTE, WEEKDAYS } from '../time/units.ts'
import { dateIn, instantOf } from '../time/zone.ts'
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

/** Every class of the service within this time for which the place is open and everybody needed is there. */
export function sessionsWithin(plan: Plan, range: Span): WantedSession[] {
  const { service, durations, business } = plan
  const [length = 0] = durations
  const wanted = (service.sessions ?? []).flatMap((definition) => {
    const location = definition.location ?? (plan.locations.length === 1 ? plan.locations[0] : undefined)
    const resources = (business.resources ?? []).filter(({ id }) => definition.resources?.includes(id))
    const workingTime = workingTimeAt(plan, range, location)
    const present = merged(
      resources.reduce((spans, one) => intersection(spans, workingTime.day(one)), workingTime.open),
    )
    return startsOf(definition, plan.zone, range)
      .filter((start) => range[0] <= start && start < range[1] && covers(present, start, start + length))
      .map((start) => ({
        start,
        end: start + length,
        location,
        resources: resources.map(({ id }) => id),
        capacity: definition.capacity ?? service.capacity?.max ?? 1,
      }))
  })
  // Two rules may want the same hour; the one written first has it.
  return [...new Map(wanted.reverse().map((session) => [session.start, session])).values()].sort(
    (one, other) => one.start - other.start,
  )
}

function startsOf(definition: SessionDefinition, zone: string, range: Span): number[] {
  const { days, rrule, from = '', until = '9999-12-31', starts } = definition
  const [hour = 0, minute = 0] = starts.split(':').map(Number)
  const at = (day: string) => instantOf(zone, Date.parse(day) + (hour * 60 + minute) * MINUTE)
  const on = rrule === undefined ? daysWithin(zone, range) : daysByRule(rrule, from, zone, range)
  return on
    .filter((day) => from <= day && day <= until)
    .filter((day) => !days || days.some((name) => name === WEEKDAYS[new Date(day).getUTCDay()]))
    .map(at)
}

/** The rule says which days; the hour is local whatever the clocks do, so the rule itself is reckoned in plain days. */
function daysByRule(rrule: string, from: string, zone: string, range: Span): string[] {
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${from.replaceAll('-', '')}T000000Z\nRRULE:${rrule}` })
  const day = (instant: number) => Temporal.PlainDate.from(dateIn(zone, instant)).toZonedDateTime('UTC')
  return rule.between(day(range[0]), day(range[1]), true).map((date) => date.toPlainDate().toString())
}

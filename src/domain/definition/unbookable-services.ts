import { DAY } from '../../infra/time/units.ts'
import { wholeDays } from '../../infra/time/zone.ts'
import type { BusinessDefinition, ResourceDefinition, SessionDefinition } from '../../protocol/types.generated.ts'
import { type Plan, planOf } from '../availability/plan.ts'
import { scheduledTimes } from '../availability/scheduled-times.ts'
import { sessionsInOrder } from '../availability/sessions.ts'
import type { Span } from '../availability/spans.ts'
import { specialDays } from './special-days.ts'
import { type Warning, warning } from './warning.ts'

/** A week like any other, in which hardly a clock is changed. */
const MONDAY = Date.UTC(2026, 5, 1)

/** The plan of a service in weeks like any other, one or as many as there are, and on the days that are not like them. */
interface Looked {
  weeks: number
  usual: Plan
  special: Plan
  specialDays: Span[]
}

/** Faults for services that have no scheduled time in any week nor on a special day, closures and absences aside. */
export function* unbookableServices({ closures: _, resources, ...rest }: BusinessDefinition): Iterable<Warning> {
  const special = { ...rest, resources: resources?.map(({ time_off: _, ...one }) => one) ?? [] }
  const { special_hours: _special, ...weekly } = special
  const usual = { ...weekly, resources: special.resources.map(({ special_hours: _, ...one }) => one) }
  const weeks = weeksOf(usual.resources)
  const days = specialDays(special).map((day) => wholeDays(special.business.timezone, day))
  for (const [index, { id, type, status = 'active' }] of special.services.entries()) {
    const plans = { usual: planOf(usual, id), special: planOf(special, id) }
    if (status !== 'active' || !plans.usual || !plans.special) continue
    const looked = { weeks, usual: plans.usual, special: plans.special, specialDays: days }
    if (type === 'group') yield* neverHeld(looked, `services.${index}`)
    else if (!isEverHad(looked)) yield neverHad(looked.usual, `services.${index}.duration`)
  }
}

function neverHad({ service, byTheDay }: Plan, field: string): Warning {
  const isRented = service.type === 'rental' && !byTheDay
  const hint = isRented ? ' What is rented in days, such as P2D, is out over night.' : ''
  const message = `can never be had: in no week are the place and all that it takes there for so long.${hint}`
  return warning(field, message, isRented ? 'rental_days' : 'never_had')
}

function* neverHeld(looked: Looked, field: string): Iterable<Warning> {
  const { sessions = [] } = looked.usual.service
  if (sessions.length === 0)
    yield warning(`${field}.sessions`, 'is missing: without it no class ever takes place', 'no_sessions')
  for (const [index, session] of sessions.entries()) {
    const { days = [], rrule } = session
    const idle = (rrule === undefined ? days : []).filter((day) => !isEverHeld(looked, { ...session, days: [day] }))
    if (!isEverHeld(looked, session))
      yield warning(
        `${field}.sessions.${index}`,
        'never takes place: whenever it would, the place or somebody who is needed is not there for so long',
        'never_held',
      )
    else if (idle.length > 0)
      yield warning(
        `${field}.sessions.${index}.days`,
        `never takes place on ${idle.join(', ')}: the place or somebody who is needed is not there then for so long`,
        'never_on',
        { days: idle.join(' ') },
      )
  }
}

/** After so many weeks all who alternate are where they began; no more are looked at than a year has. */
const weeksOf = (resources: ResourceDefinition[]): number => {
  const lengths = new Set(resources.map(({ rota }) => rota?.weeks.length ?? 1))
  return Math.min(
    [...lengths].reduce((product, length) => product * length, 1),
    53,
  )
}

const withAlone = (plan: Plan, session: SessionDefinition): Plan => ({
  ...plan,
  service: { ...plan.service, sessions: [session] },
})

/** Within a week, or by its rule within a year or so: when it is to begin and end is not in question. Else on a special day. */
function isEverHeld({ weeks, usual, special, specialDays }: Looked, session: SessionDefinition): boolean {
  const { from, until: _, ...endless } = session
  const begin = from === undefined || session.rrule === undefined ? MONDAY : Date.parse(from)
  const days = session.rrule === undefined ? 7 * weeks + 1 : 400
  const alone = withAlone(usual, session.rrule === undefined || from === undefined ? endless : { ...endless, from })
  return (
    sessionsInOrder(alone, [begin, begin + days * DAY]).some(() => true) ||
    specialDays.some((day) => sessionsInOrder(withAlone(special, session), day).some(() => true))
  )
}

/** If it fits at all, the shortest does, and but for whole days at the beginning of the hours. */
function isEverHad({ weeks, usual, special, specialDays }: Looked): boolean {
  const interval = usual.byTheDay ? usual.interval : DAY
  const shortest = (plan: Plan) => ({
    ...plan,
    durations: plan.lengths.size > 0 ? plan.durations : plan.durations.slice(0, 1),
    interval,
  })
  const days = Array.from({ length: 7 * weeks + 1 }, (_, nth): Span => [MONDAY + nth * DAY, MONDAY + (nth + 1) * DAY])
  const [inAnyWeek, byTheDates] = [shortest(usual), shortest(special)]
  return (
    days.some((day) => scheduledTimes(inAnyWeek, day).length > 0) ||
    specialDays.some((day) => scheduledTimes(byTheDates, day).length > 0)
  )
}

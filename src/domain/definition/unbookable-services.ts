import { DAY } from '../../infra/time/time-units.ts'
import { wholeDays } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition, ResourceDefinition, SessionDefinition } from '../../protocol/types.generated.ts'
import { scheduledTimes } from '../availability/cached-scheduled-times.ts'
import { sessionsInOrder } from '../availability/scheduled-class-sessions.ts'
import { type Plan, planOf } from '../availability/service-scheduling-plan.ts'
import type { Span } from '../availability/time-spans.ts'
import { specialDays } from './check-special-days.ts'
import { type Warning, warning } from './warning-codes.ts'

/**
 * The start of a Monday, as an instant in milliseconds since 1970. In the week after this Monday, almost no time zone
 * changes its clocks.
 */
const MONDAY = Date.UTC(2026, 5, 1)

/**
 * The plans (booking settings) of one service: `usual` for ordinary weeks, and `special` for special days. After
 * `weeks` weeks, all rotas (weeks with different hours that repeat) start again.
 */
interface ServicePlans {
  weeks: number
  usual: Plan
  special: Plan
  specialDays: Span[]
}

/**
 * Warns about services that buyers can never book, neither in an ordinary week nor on a day with special hours. The
 * check ignores closures and absences.
 */
export function* unbookableServices({ closures: _, resources, ...rest }: BusinessDefinition): Iterable<Warning> {
  const special = { ...rest, resources: resources?.map(({ time_off: _, ...one }) => one) ?? [] }
  const { special_hours: _special, ...weekly } = special
  const usual = { ...weekly, resources: special.resources.map(({ special_hours: _, ...one }) => one) }
  const weeks = weeksOf(usual.resources)
  const days = specialDays(special).map((day) => wholeDays(special.business.timezone, day))
  for (const [index, { id, type, status = 'active' }] of special.services.entries()) {
    const plans = { usual: planOf(usual, id), special: planOf(special, id) }
    if (status !== 'active' || !plans.usual || !plans.special) continue
    const plansOfService = { weeks, usual: plans.usual, special: plans.special, specialDays: days }
    if (type === 'group') yield* neverHeld(plansOfService, `services.${index}`)
    else if (!isEverHad(plansOfService)) yield neverAvailable(plansOfService.usual, `services.${index}.duration`)
  }
}

function neverAvailable({ service, byTheDay }: Plan, field: string): Warning {
  const isRented = service.type === 'rental' && !byTheDay
  const hint = isRented ? ' A rental in days, such as P2D, continues overnight.' : ''
  const message = `can never be booked: in no week are the place and all required resources available for long enough.${hint}`
  return warning(field, message, isRented ? 'rental_days' : 'never_had')
}

function* neverHeld(plans: ServicePlans, field: string): Iterable<Warning> {
  const { sessions = [] } = plans.usual.service
  if (sessions.length === 0)
    yield warning(`${field}.sessions`, 'is missing: without it no class ever takes place', 'no_sessions')
  for (const [index, session] of sessions.entries()) {
    const { days = [], rrule } = session
    const idle = (rrule === undefined ? days : []).filter((day) => !isEverHeld(plans, { ...session, days: [day] }))
    if (!isEverHeld(plans, session))
      yield warning(
        `${field}.sessions.${index}`,
        'never takes place: at none of its times are the place and all required resources available for long enough',
        'never_held',
      )
    else if (idle.length > 0)
      yield warning(
        `${field}.sessions.${index}.days`,
        `never takes place on ${idle.join(', ')}: the place or a required resource is not available for long ` +
          'enough then',
        'never_on',
        { days: idle.join(' ') },
      )
  }
}

/**
 * Computes a number of weeks after which all rotas (weeks with different hours that repeat) start again together. The
 * function limits the result to 53 weeks.
 */
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

/**
 * Whether a class session can ever take place. The check covers the special days and `weeks` ordinary weeks. For a
 * session with a recurrence rule, it covers about a year instead of `weeks` weeks. For the ordinary weeks, the check
 * ignores the last date (`until`) of the session.
 */
function isEverHeld({ weeks, usual, special, specialDays }: ServicePlans, session: SessionDefinition): boolean {
  const { from, until: _, ...endless } = session
  const begin = from === undefined || session.rrule === undefined ? MONDAY : Date.parse(from)
  const days = session.rrule === undefined ? 7 * weeks + 1 : 400
  const withOneSession = withAlone(
    usual,
    session.rrule === undefined || from === undefined ? endless : { ...endless, from },
  )
  return (
    sessionsInOrder(withOneSession, [begin, begin + days * DAY]).some(() => true) ||
    specialDays.some((day) => sessionsInOrder(withAlone(special, session), day).some(() => true))
  )
}

/**
 * Whether a service ever has a possible time. If a longer duration is possible, the shortest duration is possible too.
 * Therefore the check tries only the shortest one. The check tries only the first start after opening, except for
 * rentals by the day.
 */
function isEverHad({ weeks, usual, special, specialDays }: ServicePlans): boolean {
  const interval = usual.byTheDay ? usual.interval : DAY
  const shortest = (plan: Plan) => ({
    ...plan,
    durations: plan.resourceDurations.size > 0 ? plan.durations : plan.durations.slice(0, 1),
    interval,
  })
  const days = Array.from({ length: 7 * weeks + 1 }, (_, nth): Span => [MONDAY + nth * DAY, MONDAY + (nth + 1) * DAY])
  const [inAnyWeek, byTheDates] = [shortest(usual), shortest(special)]
  return (
    days.some((day) => scheduledTimes(inAnyWeek, day).length > 0) ||
    specialDays.some((day) => scheduledTimes(byTheDates, day).length > 0)
  )
}

import { type Plan, planOf } from '../availability/plan.ts'
import { scheduledTimes } from '../availability/scheduled-times.ts'
import { sessionsWithin } from '../availability/sessions.ts'
import type { Fault } from '../protocol/errors.ts'
import type { BusinessDefinition, SessionDefinition } from '../protocol/types.generated.ts'
import { DAY } from '../time/units.ts'
import { fault } from './definition-rules.ts'

/** A week like any other, in which hardly a clock is changed. */
const MONDAY = Date.UTC(2026, 5, 1)

/** Faults for services that have no scheduled time in any week, closures and absences aside. */
export function* unbookableServices({
  closures: _,
  resources = [],
  ...definition
}: BusinessDefinition): Iterable<Fault> {
  const usual = { ...definition, resources: resources.map(({ time_off: _, ...resource }) => resource) }
  for (const [index, { id, type, status = 'active' }] of definition.services.entries()) {
    const plan = status === 'active' ? planOf(usual, id) : undefined
    if (plan && type === 'group') yield* neverHeld(plan, `services.${index}`)
    if (!plan || type === 'group' || isEverHad(plan)) continue
    const hint = type === 'rental' && !plan.byTheDay ? ' What is rented in days, such as P2D, is out over night.' : ''
    yield fault(
      `services.${index}.duration`,
      `can never be had: in no week are the place and all that it takes there for so long.${hint}`,
    )
  }
}

function* neverHeld(plan: Plan, field: string): Iterable<Fault> {
  const { sessions = [] } = plan.service
  if (sessions.length === 0) yield fault(`${field}.sessions`, 'is missing: without it no class ever takes place')
  for (const [index, session] of sessions.entries()) {
    const { days = [], rrule } = session
    const idle = (rrule === undefined ? days : []).filter((day) => !isEverHeld(plan, { ...session, days: [day] }))
    if (!isEverHeld(plan, session))
      yield fault(
        `${field}.sessions.${index}`,
        'never takes place: whenever it would, the place or somebody who is needed is not there for so long',
      )
    else if (idle.length > 0)
      yield fault(
        `${field}.sessions.${index}.days`,
        `never takes place on ${idle.join(', ')}: the place or somebody who is needed is not there then for so long`,
      )
  }
}

/** Within a week, or by its rule within a year or so: when it is to begin and end is not in question. */
function isEverHeld(plan: Plan, { from, until: _, ...session }: SessionDefinition): boolean {
  const begin = from === undefined || session.rrule === undefined ? MONDAY : Date.parse(from)
  const days = session.rrule === undefined ? 8 : 400
  const sessions = [session.rrule === undefined || from === undefined ? session : { ...session, from }]
  const alone = { ...plan, service: { ...plan.service, sessions } }
  return sessionsWithin(alone, [begin, begin + days * DAY]).length > 0
}

/** If it fits at all, the shortest does, and but for whole days at the beginning of the hours. */
function isEverHad(plan: Plan): boolean {
  const interval = plan.byTheDay ? plan.interval : DAY
  const shortest = { ...plan, durations: plan.durations.slice(0, 1), interval }
  return [0, 1, 2, 3, 4, 5, 6, 7].some((nth) => {
    const from = MONDAY + nth * DAY
    return scheduledTimes(shortest, [from, from + DAY]).length > 0
  })
}

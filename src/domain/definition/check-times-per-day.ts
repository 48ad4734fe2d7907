import { DAY, MINUTE, secondsOf } from '../../infra/time/time-units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { startInterval } from '../availability/service-scheduling-plan.ts'
import { fault } from './check-definition.ts'

/**
 * One service can have at most this many possible times in a day. Computing this many times takes a tenth of a second.
 */
const MOST_A_DAY = 40_000
const MOST_LENGTHS = 1_000

/**
 * Refuses a service with too many possible times in a day. The count assumes that the whole day is open and that all
 * resources are at work.
 */
export function* timesAreLimited(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Fault> {
  const { resources = [], policies } = service
  const lengths = lengthsOf(service)
  if (lengths > MOST_LENGTHS)
    return yield fault(
      'duration.range',
      `gives ${lengths} durations to choose from, and at most ${MOST_LENGTHS} can be listed: use a larger step`,
    )
  const interval = startInterval(policies)
  const starts = Math.min(Math.ceil(DAY / interval) + startTimesOfDayCount(definition), DAY / MINUTE)
  const choices = resources.map(({ selectable = false, options = [] }) => (selectable ? options.length : 1))
  const places = service.locations?.length ?? Math.max(definition.locations?.length ?? 0, 1)
  const times = choices.reduce((product, count) => product * count, places * lengths * starts)
  if (times > MOST_A_DAY)
    yield fault(
      'resources',
      `and durations give up to ${times} times a day, and at most ${MOST_A_DAY} can be listed: make fewer ` +
        'resources selectable, or use a larger slot_interval',
    )
}

/**
 * Counts the different durations that a service can have at one start time. If the buyer chooses all resources, the
 * choice determines the duration, so the result is 1. A service with a range of durations has one duration for each
 * step.
 */
function lengthsOf({ duration: { range }, duration_rules = [], resources = [] }: ServiceDefinition): number {
  const isChosen = resources.every(({ selectable }) => selectable)
  if (!range) return isChosen ? 1 : 1 + new Set(duration_rules.map(({ fixed }) => fixed)).size
  const steps = (secondsOf(range.max) - secondsOf(range.min)) / secondsOf(range.step)
  return Number.isFinite(steps) ? Math.max(Math.floor(steps), 0) + 1 : 1
}

/**
 * Counts the different times of day when a resource or a location becomes available. At each of these times, a new
 * series of possible start times begins.
 */
const startTimesOfDayCount = (definition: BusinessDefinition): number => {
  const count = known.get(definition) ?? countBeginnings(definition)
  known.set(definition, count)
  return count
}

const known = new WeakMap<BusinessDefinition, number>()

function countBeginnings(definition: BusinessDefinition): number {
  const { locations = [], resources = [] } = definition
  const weekly = [definition, ...locations, ...resources].map(({ hours }) => hours)
  const rotas = resources.flatMap(({ rota }) => rota?.weeks.map(({ hours }) => hours))
  const special = [definition, ...resources].map(({ special_hours }) => special_hours)
  const opens = [...weekly, ...rotas, ...special].flatMap((windows) => windows?.map((window) => window.opens) ?? [])
  const backs = resources.flatMap(({ time_off = [] }) => time_off.flatMap(({ to }) => to.split('T')[1] ?? []))
  return new Set([...opens, ...backs]).size
}

import { DAY, SECOND, secondsOf } from '../../infra/time/time-units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { MAX_ADVANCE_MS, MAX_DURATION_MS } from '../availability/availability-limits.ts'
import { milliseconds } from '../availability/service-durations.ts'
import { requirementsOf } from '../availability/service-scheduling-plan.ts'
import { reminderItems } from '../bookings/reminder-times.ts'
import { fault } from './check-definition.ts'

/**
 * Checks the duration rules of a service. A duration rule sets the duration for certain resources, such as one staff
 * member. A service may require several resources, such as a person and a room. All its duration rules must name
 * candidates for the same required resource. Classes and services with a range of durations cannot have duration rules.
 */
export function* durationRulesFit(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Fault> {
  const { type, duration, duration_rules = [] } = service
  if (duration_rules.length === 0) return
  if (type === 'group')
    return yield fault(
      'duration_rules',
      'are not allowed for a group service, whose classes all have the same duration',
    )
  if (duration.range)
    yield fault('duration_rules', 'cannot be combined with a range, in which the buyer chooses the duration')
  for (const [index, { fixed }] of duration_rules.entries())
    if (secondsOf(fixed) <= 0) yield fault(`duration_rules.${index}.fixed`, 'must be longer than zero')
  yield* ofOneKind(service, definition)
}

function* ofOneKind(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Fault> {
  const { duration_rules = [] } = service
  const kinds = requirementsOf(definition, service).map(({ candidates }) => candidates.map(({ id }) => id))
  const known = new Set(definition.resources?.map(({ id }) => id))
  const able = new Set(kinds.flat())
  for (const [index, { resources }] of duration_rules.entries())
    for (const id of resources)
      if (known.has(id) && !able.has(id))
        yield fault(`duration_rules.${index}.resources`, `names ${id}, which does not belong to this service`)
  const ruleResources = new Set(duration_rules.flatMap(({ resources }) => resources))
  const kind = new Set(kinds.find((ids) => ids.some((id) => ruleResources.has(id))))
  if (kinds.filter((ids) => ids.some((id) => ruleResources.has(id) || kind.has(id))).length > 1)
    yield fault('duration_rules', 'name resources of several requirements: only one requirement can set the duration')
}

const tooLong = (field: string) => fault(field, `is longer than ${MAX_DURATION_MS / DAY} days`)

export function* durationsArePossible(service: ServiceDefinition) {
  const { duration, scheduled_duration, duration_rules = [], travel_time, policies } = service
  const { fixed, range } = duration
  const lengths = {
    'duration.fixed': fixed,
    'duration.range.min': range?.min,
    'duration.range.step': range?.step,
    scheduled_duration,
    'policies.booking_window.slot_interval': policies.booking_window?.slot_interval,
  }
  for (const [field, length] of Object.entries(lengths))
    if (length !== undefined && secondsOf(length) <= 0) yield fault(field, 'must be longer than zero')
  if (range && secondsOf(range.min) > secondsOf(range.max)) yield fault('duration.range', 'has a min above its max')
  const { buffer_before, buffer_after } = duration
  const longest = {
    'duration.fixed': fixed,
    'duration.range.max': range?.max,
    scheduled_duration,
    // A buffer is a time before or after a booking that also stays reserved. Buffers need a maximum, because the start
    // of a very long buffer would be before the year 0.
    'duration.buffer_before': buffer_before,
    'duration.buffer_after': buffer_after,
    travel_time,
  }
  for (const [field, length] of Object.entries(longest))
    if (length !== undefined && secondsOf(length) * SECOND > MAX_DURATION_MS) yield tooLong(field)
  for (const [index, rule] of duration_rules.entries())
    if (secondsOf(rule.fixed) * SECOND > MAX_DURATION_MS) yield tooLong(`duration_rules.${index}.fixed`)
}

export function* windowIsOpen({ policies: { booking_window: { min_advance, max_advance } = {} } }: ServiceDefinition) {
  const [least, most] = [milliseconds(min_advance), milliseconds(max_advance)]
  if (most > MAX_ADVANCE_MS)
    yield fault('policies.booking_window.max_advance', `is longer than ${MAX_ADVANCE_MS / DAY} days`)
  if (max_advance === undefined && least > MAX_ADVANCE_MS)
    yield fault('policies.booking_window.min_advance', `is longer than ${MAX_ADVANCE_MS / DAY} days`)
  if (max_advance !== undefined && least > most)
    yield fault('policies.booking_window', 'has a min_advance above its max_advance, so it could never be booked')
}

const DURATIONS = new Set([
  ...['fixed', 'min', 'max', 'step', 'buffer_before', 'buffer_after'],
  ...['scheduled_duration', 'travel_time', 'payment_window', 'offer_window', 'grace_period'],
  ...['free_cancellation_until', 'no_cancellation_after', 'free_reschedule_until'],
  ...['min_advance', 'max_advance', 'slot_interval'],
])

export function* durationsEnd(service: ServiceDefinition) {
  yield* endlessDurations(service, '')
  if (reminderItems(service.reminder ?? []).some(({ before }) => secondsOf(before) === Number.POSITIVE_INFINITY))
    yield fault('reminder', 'is longer than the calendar')
}

function* endlessDurations(part: object, path: string): Generator<Fault> {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string' && DURATIONS.has(name) && secondsOf(value) === Number.POSITIVE_INFINITY)
      yield fault(path + name, 'is longer than the calendar')
    if (typeof value === 'object' && value !== null && name !== 'metadata')
      yield* endlessDurations(value, `${path}${name}.`)
  }
}

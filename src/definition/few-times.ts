import type { Fault } from '../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../protocol/types.generated.ts'
import { secondsOf } from '../time/duration.ts'
import { DAY, MINUTE, SECOND } from '../time/units.ts'
import { fault } from './definition-rules.ts'

/** A day of a service is reckoned in one go, and each of its times takes some microseconds: so many take a tenth of a second. */
const MOST_A_DAY = 40_000

/** As many times as there would be in a day that is open throughout, with everybody there. */
export function* timesAreFew(service: ServiceDefinition, { locations = [] }: BusinessDefinition): Iterable<Fault> {
  const { resources = [], policies } = service
  const interval = Math.max(secondsOf(policies.booking_window.slot_interval) * SECOND, MINUTE)
  const choices = resources.map(({ selectable = false, options = [] }) => (selectable ? options.length : 1))
  const places = service.locations?.length ?? Math.max(locations.length, 1)
  const times = choices.reduce((product, count) => product * count, (places * lengthsOf(service) * DAY) / interval)
  if (times > MOST_A_DAY)
    yield fault(
      'resources',
      `and durations make up to ${Math.round(times)} times a day, and ${MOST_A_DAY} at most can be listed: ` +
        'let buyers choose one of them and not all, or start less often',
    )
}

/** With whom it takes how long is no further choice where that is chosen anyway. */
function lengthsOf({ duration: { range }, duration_rules = [], resources = [] }: ServiceDefinition): number {
  const isChosen = resources.every(({ selectable }) => selectable)
  if (!range) return isChosen ? 1 : 1 + new Set(duration_rules.map(({ fixed }) => fixed)).size
  const steps = (secondsOf(range.max) - secondsOf(range.min)) / secondsOf(range.step)
  return Number.isFinite(steps) ? Math.max(Math.floor(steps), 0) + 1 : 1
}

import { secondsOf } from '../../infra/time/duration.ts'
import { DAY, MINUTE, SECOND } from '../../infra/time/units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { fault } from './definition-rules.ts'

/** A day of a service is reckoned in one go, and each of its times takes some microseconds: so many take a tenth of a second. */
const MOST_A_DAY = 40_000
/** From which a buyer chooses: each stands on the page. */
const MOST_LENGTHS = 1_000

/** As many times as there would be in a day that is open throughout, with everybody there. */
export function* timesAreFew(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Fault> {
  const { resources = [], policies } = service
  const lengths = lengthsOf(service)
  if (lengths > MOST_LENGTHS)
    return yield fault(
      'duration.range',
      `makes ${lengths} lengths to choose from, and ${MOST_LENGTHS} at most can be listed: let it step further`,
    )
  const interval = Math.max(secondsOf(policies.booking_window.slot_interval) * SECOND, MINUTE)
  const starts = Math.min(Math.ceil(DAY / interval) + beginningsOf(definition), DAY / MINUTE)
  const choices = resources.map(({ selectable = false, options = [] }) => (selectable ? options.length : 1))
  const places = service.locations?.length ?? Math.max(definition.locations?.length ?? 0, 1)
  const times = choices.reduce((product, count) => product * count, places * lengths * starts)
  if (times > MOST_A_DAY)
    yield fault(
      'resources',
      `and durations make up to ${times} times a day, and ${MOST_A_DAY} at most can be listed: ` +
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

/** At how many times of a day somebody comes or something opens: from each of them on starts are counted anew. */
const beginningsOf = (definition: BusinessDefinition): number => {
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

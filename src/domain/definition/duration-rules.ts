import { secondsOf } from '../../infra/time/units.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { requirementsOf } from '../availability/plan.ts'
import { fault } from './definition-rules.ts'

/** Duration rules may name candidates of one requirement only. They need a service that is no class and has no range. */
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
  const named = new Set(duration_rules.flatMap(({ resources }) => resources))
  const kind = new Set(kinds.find((ids) => ids.some((id) => named.has(id))))
  if (kinds.filter((ids) => ids.some((id) => named.has(id) || kind.has(id))).length > 1)
    yield fault('duration_rules', 'name resources of several requirements: only one requirement can set the duration')
}

import { invalidInput } from '../../../protocol/errors.ts'
import type { BusinessDefinition, ListAffectedBookings, ServiceDefinition } from '../../../protocol/types.generated.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import type { Span } from '../../availability/time-spans.ts'
import { moment, notFound } from '../shared/operation-defaults.ts'

export const absenceProperties = {
  start: moment('Start of the absence.'),
  end: moment('End of the absence.'),
  resource_id: { type: 'string', minLength: 1, description: 'The person, room or thing that is absent.' },
  location_id: { type: 'string', minLength: 1, description: 'The place that is closed.' },
  everybody: { type: 'boolean', description: 'The whole business is closed.' },
}

/** A time when some resources (such as a person), a location or the whole business are not available. */
export interface Absence {
  range: Span
  resources: string[]
  /** The id of the closed location. Undefined if the absence concerns a resource or the whole business. */
  place: string | undefined
  isEverybody: boolean
  /**
   * Resources, such as people, that work at the closed location and also at other locations. The server cannot block
   * their time for one location only, because a block has no location.
   */
  elsewhere: string[]
}

export function absenceOf(definition: BusinessDefinition | undefined, input: ListAffectedBookings['input']): Absence {
  const { start, end, resource_id, location_id, everybody } = input
  const range: Span = [readMoment('start', start), readMoment('end', end)]
  if (range[1] <= range[0]) throw invalidInput('It must end after it starts.', '$.end')
  if ([resource_id, location_id, everybody || undefined].filter((one) => one !== undefined).length !== 1)
    throw invalidInput('Name one of resource_id, location_id and everybody.', '$.resource_id')
  const { resources = [], locations = [], services = [] } = definition ?? {}
  const away = { range, place: location_id, isEverybody: everybody === true, elsewhere: [] as string[] }
  if (everybody) return { ...away, resources: [...resources.map(({ id }) => id), ...services.flatMap(ownTime)] }
  if (resource_id !== undefined) {
    if (!resources.some(({ id }) => id === resource_id)) throw notFound('resource', resource_id)
    return { ...away, resources: [resource_id] }
  }
  if (!locations.some(({ id }) => id === location_id)) throw notFound('location', String(location_id))
  const placesOf = (one: (typeof resources)[number]) => one.locations ?? locations.map(({ id }) => id)
  const atLocation = resources.filter((one) => placesOf(one).some((id) => id === location_id))
  const isHereAlone = (one: (typeof resources)[number]) => placesOf(one).length === 1
  const idsOf = (ones: typeof resources) => ones.map(({ id }) => id)
  return {
    ...away,
    resources: idsOf(atLocation.filter(isHereAlone)),
    elsewhere: idsOf(atLocation.filter((one) => !isHereAlone(one))),
  }
}

/**
 * Returns the placeholder resource id of a service that requires no resources. The server reserves the time of such a
 * service under this id, as if the service were a resource.
 */
const ownTime = ({ id, type, resources = [] }: ServiceDefinition): string[] =>
  type !== 'group' && resources.length === 0 ? [`service:${id}`] : []

import type { BusinessDefinition, ListAffectedBookings } from '../../protocol/types.generated.ts'

/** In an address: all resources. No id has this form. */
export const ALL_RESOURCES = '*'
const PLACE = 'at:'

/** In an address: all resources at one location. */
export const allAtLocation = (place: string): string => `${PLACE}${place}`

/** The resources of an absence. `name` is undefined for all resources. */
export interface AbsenceTarget {
  said: string
  name?: string
  input: Pick<ListAffectedBookings['input'], 'resource_id' | 'location_id' | 'everybody'>
}

export function findAbsenceTarget(definition: BusinessDefinition, said: string): AbsenceTarget | undefined {
  if (said === ALL_RESOURCES) return { said, input: { everybody: true } }
  const { resources = [], locations = [] } = definition
  const place = said.startsWith(PLACE) ? locations.find(({ id }) => allAtLocation(id) === said) : undefined
  if (place) return { said, name: place.name, input: { location_id: place.id } }
  const resource = resources.find(({ id }) => id === said)
  return resource && { said, name: resource.name, input: { resource_id: resource.id } }
}

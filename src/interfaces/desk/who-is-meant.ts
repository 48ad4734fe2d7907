import type { BusinessDefinition, ListAffectedBookings } from '../../protocol/types.generated.ts'

/** In an address: all resources. No id has this form. */
export const EVERYBODY = '*'
const PLACE = 'at:'

/** In an address: all resources at one location. */
export const allAt = (place: string): string => `${PLACE}${place}`

/** The resources of an absence. `name` is undefined for all resources. */
export interface Meant {
  said: string
  name?: string
  input: Pick<ListAffectedBookings['input'], 'resource_id' | 'location_id' | 'everybody'>
}

export function whoIsMeant(definition: BusinessDefinition, said: string): Meant | undefined {
  if (said === EVERYBODY) return { said, input: { everybody: true } }
  const { resources = [], locations = [] } = definition
  const place = said.startsWith(PLACE) ? locations.find(({ id }) => allAt(id) === said) : undefined
  if (place) return { said, name: place.name, input: { location_id: place.id } }
  const resource = resources.find(({ id }) => id === said)
  return resource && { said, name: resource.name, input: { resource_id: resource.id } }
}

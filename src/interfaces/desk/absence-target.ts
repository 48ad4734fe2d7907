import type { BusinessDefinition, ListAffectedBookings } from '../../protocol/types.generated.ts'

/** In an address: all resources. No id has this form. */
export const ALL_RESOURCES = '*'
const PLACE = 'at:'

/** In an address: all resources at one location. */
export const allAtLocation = (place: string): string => `${PLACE}${place}`

/** The resources of an absence. `name` is undefined for all resources. */
export interface AbsenceTarget {
  formValue: string
  name?: string
  input: Pick<ListAffectedBookings['input'], 'resource_id' | 'location_id' | 'everybody'>
}

export function findAbsenceTarget(definition: BusinessDefinition, formValue: string): AbsenceTarget | undefined {
  if (formValue === ALL_RESOURCES) return { formValue, input: { everybody: true } }
  const { resources = [], locations = [] } = definition
  const place = formValue.startsWith(PLACE) ? locations.find(({ id }) => allAtLocation(id) === formValue) : undefined
  if (place) return { formValue, name: place.name, input: { location_id: place.id } }
  const resource = resources.find(({ id }) => id === formValue)
  return resource && { formValue, name: resource.name, input: { resource_id: resource.id } }
}

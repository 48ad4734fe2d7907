import type { BusinessDefinition, ListAffectedBookings } from '../../protocol/types.generated.ts'

/**
 * The form value for an absence of all people and rooms. The value cannot be an id, because no person or room has the
 * id `*`.
 */
export const ALL_RESOURCES = '*'
const PLACE = 'at:'

/** Returns the form value for an absence of all people and rooms at one location, such as `at:loc_main`. */
export const allAtLocation = (place: string): string => `${PLACE}${place}`

/**
 * The person, room or location that the absence concerns. `name` is undefined if the absence concerns all people and
 * rooms.
 */
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

import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'

/** A service that a person carries out but that requires none of the staff: it is sold while all of them are busy. */
export const requiresNoPerson = (
  { type, status = 'active', resources = [] }: ServiceDefinition,
  definition: Pick<BusinessDefinition, 'resources'>,
): boolean =>
  status === 'active' &&
  (type === 'appointment' || type === 'field_service') &&
  !resources.some((required) => required.type === 'staff') &&
  (definition.resources ?? []).some((resource) => resource.type === 'staff')

import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'

/**
 * Whether a person carries out the service, but it requires none of the staff. Buyers can then book it while all staff are
 * busy.
 */
export const requiresNoPerson = (
  { type, status = 'active', resources = [] }: ServiceDefinition,
  definition: Pick<BusinessDefinition, 'resources'>,
): boolean =>
  status === 'active' &&
  (type === 'appointment' || type === 'field_service') &&
  !resources.some((required) => required.type === 'staff') &&
  (definition.resources ?? []).some((resource) => resource.type === 'staff')

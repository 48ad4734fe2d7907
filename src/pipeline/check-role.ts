import { type Role, roles } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call, Operation } from '../protocol/operation.ts'

/** The lowest role that may call the operation. By default viewers read and staff members change data. */
export const neededRole = ({ role, effect }: Operation): Role => role ?? (effect === 'read' ? 'viewer' : 'staff')

export const isRoleSufficient = (role: Role, operation: Operation): boolean =>
  roles.indexOf(role) <= roles.indexOf(neededRole(operation))

/** The token is genuine, so this refusal is not a failed authentication. */
export function checkRole({ operation, caller }: Call): void {
  if (!caller?.role || isRoleSufficient(caller.role, operation)) return
  throw new ProtocolError(
    'authentication_required',
    `This requires the role ${neededRole(operation)}, and yours is ${caller.role}. Ask the owner for another role.`,
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  )
}

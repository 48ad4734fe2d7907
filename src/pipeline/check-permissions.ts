import { concernsBuyer } from '../core/authentication/principals.ts'
import { type Role, roles } from '../protocol/caller-types.ts'
import type { Call, Operation } from '../protocol/define-operation.ts'
import { ProtocolError } from '../protocol/errors.ts'

/**
 * Returns the lowest staff role that may call the operation. By default, the role `viewer` may read, and the role
 * `staff` may change data.
 */
export const neededRole = ({ role, effect }: Operation): Role => role ?? (effect === 'read' ? 'viewer' : 'staff')

export const isRoleSufficient = (role: Role, operation: Operation): boolean =>
  roles.indexOf(role) <= roles.indexOf(neededRole(operation))

/**
 * Refuses a staff member whose role is too low for the operation. The refusal does not count as a failed
 * authentication, because the access token is valid.
 */
export function checkRole({ operation, caller }: Call): void {
  if (!caller?.role || isRoleSufficient(caller.role, operation)) return
  throw new ProtocolError(
    'authentication_required',
    `This requires the role ${neededRole(operation)}, and yours is ${caller.role}. Ask the owner for another role.`,
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  )
}

/**
 * Refuses a call if the buyer has not allowed the platform to book (OAuth scope `usp:booking`). The refusal does not
 * count as a failed authentication, because the access token itself is valid.
 */
export function checkScope({ operation, caller }: Call): void {
  if (!caller?.link || !concernsBuyer(operation) || caller.link.scopes.includes('usp:booking')) return
  throw new ProtocolError('authentication_required', 'The buyer did not allow this platform to book (usp:booking).', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="usp:booking"' },
  })
}

import { type Role, roles } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call, Operation } from '../protocol/operation.ts'

/** Viewers see everything and change nothing; what is not for all of the staff says so itself. */
export const neededRole = ({ role, effect }: Operation): Role => role ?? (effect === 'read' ? 'viewer' : 'staff')

/** The token is genuine, so this is no failed attempt to get in. */
export function checkRole({ operation, caller }: Call): void {
  const needed = neededRole(operation)
  if (!caller?.role || roles.indexOf(caller.role) <= roles.indexOf(needed)) return
  throw new ProtocolError(
    'authentication_required',
    `This takes the role ${needed}, and yours is ${caller.role}. Ask the owner for another.`,
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  )
}

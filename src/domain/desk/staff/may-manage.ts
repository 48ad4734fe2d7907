import { type Role, roles } from '../../../protocol/caller.ts'

/**
 * Owners manage all staff members. Others manage members with a lower role, so they cannot grant a role that they could
 * not revoke.
 */
export const mayManage = (own: Role, other: Role): boolean =>
  own === 'owner' || roles.indexOf(own) < roles.indexOf(other)

import { type Role, roles } from '../../../protocol/caller.ts'

/** Owners manage everybody, others those who may less than they do. So nobody gives more than they have, or what they could not take back. */
export const mayManage = (own: Role, other: Role): boolean =>
  own === 'owner' || roles.indexOf(own) < roles.indexOf(other)

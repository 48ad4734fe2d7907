import { companyAccountEnd, removedStaffRecord } from '../../../core/authentication/company-accounts.ts'
import { staffLinksEnd } from '../../../core/authentication/desk-sign-in-links.ts'
import {
  hasOtherOwner,
  revokeStaff,
  type StaffMember,
  staffInsert,
  staffLock,
  staffOfEmail,
  staffOfId,
  staffUpdate,
  subjectOf,
} from '../../../core/authentication/staff-members.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { type Caller, type Role, roles, STAFF_PREFIX } from '../../../protocol/caller-types.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import { notFound } from '../shared/operation-defaults.ts'

/**
 * The person who changes the list of staff members: a staff member, or the operator of the server. For the operator,
 * `staff` is null, and all changes are allowed.
 */
export interface StaffActor {
  actor: string
  staff: string | null
}

export const byCaller = ({ principal }: Pick<Caller, 'principal'>): StaffActor => ({
  actor: principal,
  staff: principal.slice(STAFF_PREFIX.length),
})

type NewMember = Pick<StaffMember, 'name' | 'role' | 'email'>

interface Addition {
  by: StaffActor
  token?: string | undefined
  /** How the audit log names the addition. */
  action?: 'invite' | 'add'
}

export async function addMember(
  tx: UnitOfWork,
  wanted: NewMember,
  { by, token, action = token === undefined ? 'invite' : 'add' }: Addition,
  now: Date,
): Promise<StaffMember> {
  await staffLock(tx)
  refuseUnlessManaged(await roleOf(tx, by), wanted.role)
  await refuseTaken(tx, wanted.email)
  const member = await staffInsert(tx, wanted, now, token)
  insertAuditEntry(tx, { actor: by.actor, action, subject: subjectOf(member.id), from: null, to: member.role }, now)
  return member
}

/**
 * Changes the data of a staff member. If the email address changes, earlier desk links (sign-in URLs) become invalid,
 * because the server mailed them to the old address. The company account of the old address no longer signs in.
 */
export async function changeMember(
  tx: UnitOfWork,
  id: string,
  { change, by }: { change: Partial<NewMember>; by: StaffActor },
  now: Date,
): Promise<StaffMember> {
  const { member, ownRole } = await lockManaged(tx, id, by)
  const after = { ...member, ...change }
  refuseUnlessManaged(ownRole, after.role)
  if (after.role !== 'owner') await refuseLastOwner(tx, member)
  const isMoved = after.email !== member.email
  if (isMoved) await refuseTaken(tx, after.email)
  await staffUpdate(tx, after)
  if (isMoved) {
    await staffLinksEnd(tx, id)
    // A member without an address entered by a rule. A first address is no reason to disconnect the company account.
    if (member.email !== null) await companyAccountEnd(tx, id)
  }
  // The audit log is permanent. Therefore its entry about a staff member contains no names and no addresses.
  const members = (['name', 'role', 'email'] as const).filter((name) => after[name] !== member[name])
  const entry = { actor: by.actor, action: 'change', subject: subjectOf(member.id), from: member.role, to: after.role }
  if (members.length > 0) insertAuditEntry(tx, { ...entry, detail: { members } }, now)
  return after
}

export async function removeMember(tx: UnitOfWork, id: string, by: StaffActor, now: Date): Promise<StaffMember> {
  const { member } = await lockManaged(tx, id, by)
  await refuseLastOwner(tx, member)
  await removedStaffRecord(tx, id)
  await revokeStaff(tx, id)
  insertAuditEntry(
    tx,
    { actor: by.actor, action: 'remove', subject: subjectOf(member.id), from: member.role, to: null },
    now,
  )
  return member
}

/**
 * Locks the list of staff members until the transaction ends, and returns the staff member with this id. Throws an
 * error if the actor may not manage this staff member.
 */
export async function lockManaged(
  tx: UnitOfWork,
  id: string,
  by: StaffActor,
): Promise<{ member: StaffMember; ownRole: Role }> {
  await staffLock(tx)
  const [ownRole, member] = [await roleOf(tx, by), await staffOfId(tx, id)]
  if (!member) throw notFound('staff member', id)
  refuseUnlessManaged(ownRole, member.role)
  return { member, ownRole }
}

async function roleOf(tx: UnitOfWork, { staff }: StaffActor): Promise<Role> {
  if (staff === null) return 'owner'
  return (await staffOfId(tx, staff))?.role ?? 'viewer'
}

function refuseUnlessManaged(ownRole: Role, role: Role): void {
  if (mayManage(ownRole, role)) return
  throw new ProtocolError(
    'authentication_required',
    `Your role is ${ownRole}. Only a higher role or an owner can manage a member with the role ${role}.`,
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  )
}

async function refuseLastOwner(tx: UnitOfWork, { id, role }: StaffMember): Promise<void> {
  if (role !== 'owner' || (await hasOtherOwner(tx, id))) return
  throw new BusinessRefusal('invalid_transition', 'This is the only owner. Make another staff member an owner first.')
}

async function refuseTaken(tx: UnitOfWork, email: string | null): Promise<void> {
  if (email === null || !(await staffOfEmail(tx, email))) return
  throw invalidInput('Another staff member has this address.', '$.email')
}

/**
 * Whether a staff member may manage staff members with the role `other`. Owners manage all staff members. Other roles
 * manage only lower roles, because they must not grant a role that they cannot revoke.
 */
export const mayManage = (ownRole: Role, other: Role): boolean =>
  ownRole === 'owner' || roles.indexOf(ownRole) < roles.indexOf(other)

import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { type Role, roles } from '../../protocol/caller-types.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'

export interface Person {
  id: string
  name: string
  role: Role
}

export interface StaffMember extends Person {
  /** The staff member's email address in lower case. The server mails sign-in links to this address. */
  email: string | null
  created_at: Date
  invited_at: Date | null
}

const columns = ['id', 'name', 'role', 'email', 'created_at', 'invited_at'] as const

/**
 * Returns the role of a staff member. If the database contains a role that only a newer server version knows, the staff
 * member counts as a viewer, the role with the lowest rights.
 */
const roleOf = (role: string): Role => roles.find((one) => one === role) ?? 'viewer'

export const personOf = ({ id, name, role }: { id: string; name: string; role: string }): Person => ({
  id,
  name,
  role: roleOf(role),
})

const memberOf = (row: Omit<StaffMember, 'role'> & { role: string }): StaffMember => ({
  ...row,
  role: roleOf(row.role),
})

/**
 * Adds a staff member, and returns a new token for the staff member's own programs. The server stores only a digest of
 * the token.
 */
export async function addStaff(db: Database, name: string, role: Role, now: Date): Promise<string> {
  const token = newSecret('ust')
  await staffInsert(db, { name, role, email: null }, now, token)
  return token
}

/**
 * Inserts a staff member. Without a token, the staff member can sign in only with desk links (mailed sign-in URLs) and
 * passkeys.
 */
export async function staffInsert(
  db: Database,
  { name, role, email }: Pick<StaffMember, 'name' | 'role' | 'email'>,
  now: Date,
  token?: string,
): Promise<StaffMember> {
  const member: StaffMember = { id: newId('stf'), name, role, email, created_at: now, invited_at: null }
  const token_hash = token === undefined ? null : secretDigest(token)
  await db
    .insertInto('staff')
    .values({ ...member, token_hash })
    .execute()
  return member
}

/**
 * Takes a lock, so that only one transaction at a time can change the staff. Without the lock, two concurrent
 * transactions could remove the last two owners.
 */
export async function staffLock(tx: UnitOfWork): Promise<void> {
  await tx.waitForSlot('staff')
  await sql`select pg_advisory_xact_lock(hashtextextended('staff', 0))`.execute(tx)
}

/** The text that names a staff member in the audit log. */
export const subjectOf = (id: string): string => `staff ${id}`

export async function firstOwner(db: Database): Promise<string | undefined> {
  const owner = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst()
  return owner?.id
}

export async function hasOtherOwner(db: Database, id: string): Promise<boolean> {
  const other = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('id', '<>', id)
    .executeTakeFirst()
  return other !== undefined
}

export async function staffOfToken(db: Database, token: string): Promise<Person | undefined> {
  const token_hash = secretDigest(token)
  const row = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row && personOf(row)
}

export async function staffOfId(db: Database, id: string): Promise<StaffMember | undefined> {
  const row = await db.selectFrom('staff').select(columns).where('id', '=', id).executeTakeFirst()
  return row && memberOf(row)
}

/**
 * Returns the staff member with this email address. The function locks the row, so no other transaction can change the
 * address until this transaction ends.
 */
export async function staffOfEmail(tx: Database, email: string): Promise<StaffMember | undefined> {
  const row = await tx.selectFrom('staff').select(columns).where('email', '=', email).forKeyShare().executeTakeFirst()
  return row && memberOf(row)
}

/** Returns all staff members whose id or name is the given text. */
export async function findStaff(db: Database, idOrName: string): Promise<Person[]> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role'])
    .where((is) => is.or([is('id', '=', idOrName), is('name', '=', idOrName)]))
    .orderBy('created_at')
    .execute()
  return rows.map(personOf)
}

export async function listStaff(db: Database): Promise<StaffMember[]> {
  const rows = await db.selectFrom('staff').select(columns).orderBy('created_at').orderBy('id').execute()
  return rows.map(memberOf)
}

export async function staffUpdate(db: Database, { id, name, role, email, invited_at }: StaffMember): Promise<void> {
  await db.updateTable('staff').set({ name, role, email, invited_at }).where('id', '=', id).execute()
}

/**
 * Deletes a staff member. The database also deletes the staff member's sessions, sign-in links, passkeys, token and
 * calendar feeds.
 */
export async function revokeStaff(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('staff').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

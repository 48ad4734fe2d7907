import { newId } from '../basics/new-id.ts'
import type { Database } from '../db/database.ts'
import { newSecret, secretDigest } from '../keys/secrets.ts'
import { type Role, roles } from '../protocol/caller.ts'

/** Adds a person of the business and returns the token they sign in with. It is kept nowhere. */
export async function addStaff(db: Database, name: string, role: Role, now: Date): Promise<string> {
  const token = newSecret('ust')
  const id = newId('stf')
  const token_hash = secretDigest(token)
  await db.insertInto('staff').values({ id, name, role, token_hash, created_at: now }).execute()
  return token
}

export async function hasOwner(db: Database): Promise<boolean> {
  const owner = await db.selectFrom('staff').select('id').where('role', '=', 'owner').executeTakeFirst()
  return owner !== undefined
}

export async function staffOfToken(db: Database, token: string): Promise<{ id: string; role: Role } | undefined> {
  const token_hash = secretDigest(token)
  const row = await db
    .selectFrom('staff')
    .select(['id', 'role'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  // A role that this version does not know has the rights that do no harm.
  return row && { id: row.id, role: roles.find((one) => one === row.role) ?? 'viewer' }
}

export async function listStaff(db: Database) {
  return db.selectFrom('staff').select(['id', 'name', 'role', 'created_at']).orderBy('created_at').execute()
}

export async function revokeStaff(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('staff').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

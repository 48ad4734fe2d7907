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

/** The first of the owners. */
export async function firstOwner(db: Database): Promise<string | undefined> {
  const owner = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .executeTakeFirst()
  return owner?.id
}

/** Somebody who works here. */
export interface Person {
  id: string
  name: string
  role: Role
}

/** A role that this version does not know has the rights that do no harm. */
export const personOf = ({ id, name, role }: { id: string; name: string; role: string }): Person => ({
  ...{ id, name },
  role: roles.find((one) => one === role) ?? 'viewer',
})

export async function staffOfToken(db: Database, token: string): Promise<Person | undefined> {
  const token_hash = secretDigest(token)
  const row = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
  return row && personOf(row)
}

/** Whoever is meant by an id, or by a name that nobody else has. */
export async function findStaff(db: Database, idOrName: string): Promise<Person[]> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role'])
    .where((is) => is.or([is('id', '=', idOrName), is('name', '=', idOrName)]))
    .orderBy('created_at')
    .execute()
  return rows.map(personOf)
}

export async function listStaff(db: Database) {
  return db.selectFrom('staff').select(['id', 'name', 'role', 'created_at']).orderBy('created_at').execute()
}

export async function revokeStaff(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('staff').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

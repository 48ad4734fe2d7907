import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

const digest = (key: string) => hash('sha256', key, 'buffer')
const shortId = (prefix: string) => `${prefix}_${randomBytes(9).toString('base64url')}`

/** Adds a client and returns its key, which is kept nowhere. */
export async function addClient(db: Database, name: string, now: Date): Promise<{ id: string; key: string }> {
  const id = shortId('cli')
  await db.insertInto('clients').values({ id, name, created_at: now }).execute()
  return { id, key: await addKey(db, id, now) }
}

/** Gives a client a new key. Those it has stay good until `overlapEnds`, so that it can change over without a gap. */
export async function rotateKey(db: Database, clientId: string, overlapEnds: Date, now: Date): Promise<string> {
  await db
    .updateTable('api_keys')
    .set({ expires_at: overlapEnds })
    .where('client_id', '=', clientId)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', overlapEnds)]))
    .execute()
  return addKey(db, clientId, now)
}

async function addKey(db: Database, client_id: string, created_at: Date): Promise<string> {
  const key = `usk_${randomBytes(32).toString('base64url')}`
  await db
    .insertInto('api_keys')
    .values({ id: shortId('key'), client_id, key_hash: digest(key), created_at })
    .execute()
  return key
}

export async function revokeClient(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('clients').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listClients(db: Database) {
  const { rows } = await sql<{ id: string; name: string; created_at: Date; keys: number }>`
    select c.id, c.name, c.created_at, count(k.id)::integer as keys
    from clients c left join api_keys k on k.client_id = c.id
    group by c.id order by c.created_at`.execute(db)
  return rows
}

/** The client that a key belongs to, while the key is good. */
export async function clientOfKey(db: Database, key: string, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['client_id', 'expires_at'])
    .where('key_hash', '=', digest(key))
    .executeTakeFirst()
  return row && (row.expires_at === null || row.expires_at > now) ? row.client_id : undefined
}

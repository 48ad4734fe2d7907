import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'

/**
 * The credentials of a client (a registered platform): an API key for calls, and a secret for the OAuth token endpoint.
 * The database stores only digests of the key and the secret.
 */
export interface Credentials {
  key: string
  secret: string
}

/**
 * Registers a client: a platform that calls this server with its own API key. If the client has redirect URLs for
 * OAuth, buyers can give the client access to their accounts.
 */
export async function addClient(
  db: Database,
  name: string,
  now: Date,
  redirect_uris: string[] = [],
): Promise<{ id: string } & Credentials> {
  const id = newId('cli')
  await db.insertInto('clients').values({ id, name, created_at: now, redirect_uris }).execute()
  return { id, ...(await addCredentials(db, id, now)) }
}

/**
 * Stores the clients (platforms) that the business definition lists, or updates their names. A new client gets its API
 * key only from a later call of `rotateCredentials`.
 */
export async function upsertClients(db: Database, clients: { id: string; name: string }[], now: Date): Promise<void> {
  if (clients.length === 0) return
  await db
    .insertInto('clients')
    .values(clients.map(({ id, name }) => ({ id, name, created_at: now, redirect_uris: [] })))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: (is) => is.ref('excluded.name') }))
    .execute()
}

/**
 * Issues a new API key and a new secret to a client (a registered platform). The old key and secret stay valid until
 * `overlapEnds`, so the client has time to switch.
 */
export async function rotateCredentials(
  db: Database,
  clientId: string,
  overlapEnds: Date,
  now: Date,
): Promise<Credentials> {
  await db
    .updateTable('api_keys')
    .set({ expires_at: overlapEnds })
    .where('client_id', '=', clientId)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', overlapEnds)]))
    .execute()
  return addCredentials(db, clientId, now)
}

async function addCredentials(db: Database, client_id: string, created_at: Date): Promise<Credentials> {
  const key = newSecret('usk')
  const secret = newSecret('ucs')
  await db
    .insertInto('api_keys')
    .values([
      { id: newId('key'), kind: 'api_key', client_id, key_hash: secretDigest(key), created_at },
      { id: newId('sec'), kind: 'client_secret', client_id, key_hash: secretDigest(secret), created_at },
    ])
    .execute()
  return { key, secret }
}

export async function revokeClient(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('clients').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function setRedirectUris(db: Database, id: string, redirect_uris: string[]): Promise<void> {
  await db.updateTable('clients').set({ redirect_uris }).where('id', '=', id).execute()
}

export async function listClients(db: Database) {
  const { rows } = await sql<{ id: string; name: string; created_at: Date; keys: number; redirects: string }>`
    select c.id, c.name, c.created_at, count(k.id)::integer as keys,
      array_to_string(c.redirect_uris, ' ') as redirects
    from clients c left join api_keys k on k.client_id = c.id and k.kind = 'api_key'
    group by c.id order by c.created_at`.execute(db)
  return rows
}

export async function clientFind(db: Database, id: string) {
  return db.selectFrom('clients').select(['id', 'name', 'redirect_uris']).where('id', '=', id).executeTakeFirst()
}

/**
 * Returns the ids of all clients (registered platforms). Returns an empty list if the database table does not exist
 * yet.
 */
export async function clientIdsIfMigrated(db: Database): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('clients') is not null as exists`.execute(db)
  return rows[0]?.exists ? (await db.selectFrom('clients').select('id').execute()).map(({ id }) => id) : []
}

export const clientOfKey = (db: Database, key: string, now: Date) => holderOf(db, 'api_key', key, now)

export const isSecretOf = async (db: Database, client: string, secret: string, now: Date) =>
  (await holderOf(db, 'client_secret', secret, now)) === client

/**
 * Whether this server issued the API key, even if the key has expired since. A call with an expired key does not count
 * as an attempt to guess a key.
 */
export const wasKey = async (db: Database, key: string): Promise<boolean> =>
  (await findCredential(db, 'api_key', key)) !== undefined

type Kind = 'api_key' | 'client_secret'

async function holderOf(db: Database, kind: Kind, value: string, now: Date): Promise<string | undefined> {
  const row = await findCredential(db, kind, value)
  return row && (row.expires_at === null || row.expires_at > now) ? row.client_id : undefined
}

const findCredential = (db: Database, kind: Kind, value: string) =>
  db
    .selectFrom('api_keys')
    .select(['client_id', 'expires_at'])
    .where('kind', '=', kind)
    .where('key_hash', '=', secretDigest(value))
    .executeTakeFirst()

import type { KeyObject } from 'node:crypto'
import type { JSONWebKeySet, JWK } from 'jose'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { unseal } from '../keys/encrypt-secrets.ts'
import { newSigningKey } from '../keys/signing-keys.ts'

interface StoredKey {
  public_jwk: JWK
  private_jwk: Buffer
}

export async function publicKeys(db: Database, boxKey: KeyObject, now: Date): Promise<JSONWebKeySet> {
  return { keys: (await storedKeys(db, boxKey, now)).map(({ public_jwk }) => public_jwk) }
}

export async function privateKeys(db: Database, boxKey: KeyObject, now: Date): Promise<JSONWebKeySet> {
  const keys = await storedKeys(db, boxKey, now)
  return {
    keys: keys.map(({ public_jwk, private_jwk }) => ({ ...public_jwk, ...JSON.parse(unseal(boxKey, private_jwk)) })),
  }
}

/**
 * Returns the stored keys that sign access tokens. If there is no key yet, creates one. A lock ensures that several
 * servers create only one key.
 */
async function storedKeys(db: Database, boxKey: KeyObject, now: Date): Promise<StoredKey[]> {
  const stored = await readKeys(db)
  if (stored.length > 0) return stored
  return db.transaction().execute(async (tx) => {
    await sql`lock table oauth_keys in share row exclusive mode`.execute(tx)
    const existing = await readKeys(tx)
    if (existing.length > 0) return existing
    await tx
      .insertInto('oauth_keys')
      .values(await newSigningKey(boxKey, now))
      .execute()
    return readKeys(tx)
  })
}

async function readKeys(db: Database): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select public_jwk, private_jwk from oauth_keys order by created_at desc, kid`.execute(db)
  return rows
}

export const accessKeys = (db: Database): Promise<{ kid: string; created_at: Date }[]> =>
  db.selectFrom('oauth_keys').select(['kid', 'created_at']).orderBy('created_at').execute()

/**
 * Deletes a key that signs access tokens. All tokens that this key has signed become invalid. If no key remains, the
 * server creates a new key when it next needs one.
 */
export async function withdrawAccessKey(db: Database, kid: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('oauth_keys').where('kid', '=', kid).executeTakeFirst()
  return numDeletedRows > 0n
}

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { SigningKey } from '../../protocol/types.generated.ts'
import { seal, sealingKeysOf, unseal } from './encrypt-secrets.ts'

/**
 * Creates the first signing key of a business, if none exists. Throws an error if the secret key cannot decrypt the
 * stored signing keys.
 */
export async function ensureSigningKey(db: Database, secretKey: string, now: Date): Promise<void> {
  const boxKey = sealingKeysOf(secretKey).signingKeys
  await db.transaction().execute(async (tx) => {
    // Several servers can start at the same time without a stored signing key. The lock ensures that only one of them
    // creates the key.
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx)
    if ((await requireStoredKeysOpen(tx, boxKey)) === 0)
      await tx
        .insertInto('signing_keys')
        .values({ ...(await newSigningKey(boxKey, now)), signs_from: now })
        .execute()
  })
}

/**
 * Creates a signing key of the business in the form of a database row. The public key is in plain text, and the private
 * key is encrypted.
 */
export async function newSigningKey(boxKey: KeyObject, now: Date) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = `${now.toISOString().slice(0, 7)}-${(await calculateJwkThumbprint(jwk)).slice(0, 12)}`
  const public_jwk = JSON.stringify({ kid, ...jwk, use: 'sig', alg: 'ES256' })
  const private_jwk = seal(boxKey, JSON.stringify(await exportJWK(privateKey)))
  return { kid, public_jwk, private_jwk, created_at: now }
}

/**
 * Checks that the secret key can decrypt all stored signing keys, and returns their number. Without this check, a
 * server with a wrong secret key would add keys that other servers cannot decrypt.
 */
export async function requireStoredKeysOpen(tx: Database, boxKey: KeyObject): Promise<number> {
  const stored = await tx.selectFrom('signing_keys').select('private_jwk').execute()
  try {
    for (const { private_jwk } of stored) unseal(boxKey, private_jwk)
  } catch {
    throw new PlainError(
      'USP_SECRET_KEY does not open the keys stored in this database. Set it to the value that sealed them last. ' +
        'If that value is lost, see "If the secret is lost" in docs/running.md.',
    )
  }
  return stored.length
}

/**
 * Returns the public keys for this server's profile: the keys that sign now, will sign soon, or signed in the last
 * days.
 */
export async function publicSigningKeys(db: Database, now: Date): Promise<SigningKey[]> {
  const { rows } = await sql<{ public_jwk: SigningKey }>`
    select public_jwk from signing_keys where published_until is null or published_until > ${now}
    order by created_at, kid`.execute(db)
  return rows.map((row) => row.public_jwk)
}

export interface ServerKey {
  kid: string
  privateKey: KeyObject
}

const opened = new Map<string, KeyObject>()

/**
 * Returns the newest key that may sign now. The function reads the database on each call, because the staff may have
 * withdrawn a key meanwhile.
 */
export async function signingKey({ db, signingBox }: Dependencies<'db' | 'signingBox'>, now: Date): Promise<ServerKey> {
  const { kid, private_jwk } = await db
    .selectFrom('signing_keys')
    .select(['kid', 'private_jwk'])
    .where('signs_from', '<=', now)
    .where((key) => key.or([key('published_until', 'is', null), key('published_until', '>', now)]))
    .orderBy('signs_from', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const known = opened.get(kid)
  if (known) return { kid, privateKey: known }
  const privateKey = createPrivateKey({ key: JSON.parse(unseal(signingBox, private_jwk)), format: 'jwk' })
  opened.set(kid, privateKey)
  return { kid, privateKey }
}

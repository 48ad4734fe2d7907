import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { seal, unseal } from '../keys/encrypt-secrets.ts'

/** The key pair that identifies this server to push services (VAPID, RFC 8292). */
export interface PushKey {
  /** The public key as browsers and push services read it: an uncompressed point, in base64url. */
  publicKey: string
  privateKey: KeyObject
}

/**
 * Returns the key pair, and creates it at the first call. If the secret key of the server cannot decrypt the stored key
 * pair, the secret key was lost and replaced. Then the function deletes the subscriptions too, because push services accept
 * only the key of the subscription.
 */
export async function pushKey({ db, clock, pushBox }: Dependencies<'db' | 'clock' | 'pushBox'>): Promise<PushKey> {
  const stored = await readKey(db, pushBox)
  return (
    stored ??
    db.transaction().execute(async (tx) => {
      await sql`lock table push_key in share row exclusive mode`.execute(tx)
      const other = await readKey(tx, pushBox)
      if (other) return other
      await tx.deleteFrom('push_subscriptions').execute()
      await tx.deleteFrom('push_key').execute()
      const { publicKey, jwk, privateKey } = newKey()
      await tx
        .insertInto('push_key')
        .values({ public_key: publicKey, private_jwk: seal(pushBox, JSON.stringify(jwk)), created_at: clock() })
        .execute()
      return { publicKey, privateKey }
    })
  )
}

async function readKey(db: Database, box: KeyObject): Promise<PushKey | undefined> {
  const row = await db.selectFrom('push_key').select(['public_key', 'private_jwk']).executeTakeFirst()
  if (!row) return undefined
  try {
    const key = JSON.parse(unseal(box, row.private_jwk))
    return { publicKey: row.public_key, privateKey: createPrivateKey({ key, format: 'jwk' }) }
  } catch {
    return undefined
  }
}

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' })
  const point = [jwk.x, jwk.y].map((half) => Buffer.from(half ?? '', 'base64url'))
  return { jwk, privateKey, publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url') }
}

/** How long a signed authorization is valid. Push services accept at most 24 hours. */
const VALID_MS = 12 * HOUR

/**
 * Returns the header `Authorization` for a message to a push service. It proves that the message comes from the server that
 * the browser subscribed to. `contact` is where the operator of the push service finds the operator of this server.
 */
export async function pushAuthorization(
  { publicKey, privateKey }: PushKey,
  { endpoint, contact }: { endpoint: string; contact: string | undefined },
  now: Date,
): Promise<string> {
  const claims = new SignJWT(contact === undefined ? {} : { sub: contact })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(new Date(now.getTime() + VALID_MS))
  return `vapid t=${await claims.sign(privateKey)}, k=${publicKey}`
}

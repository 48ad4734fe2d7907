import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { checkedTarget, EgressError } from '../egress/call-external-url.ts'
import { seal, secretDigest } from '../keys/encrypt-secrets.ts'
import { isPublicKey, SECRET_BYTES } from './encrypt-push-message.ts'

/** The address of a browser at its push service, and the keys of the browser. */
export interface BrowserAddress {
  /** The URL at the push service. Anyone who knows it can try to send messages to the browser. */
  endpoint: string
  /** The public key and the secret of the browser, in base64url. */
  p256dh: string
  auth: string
}

/** The state of the push notifications of one browser session. */
export interface PushState {
  shows_details: boolean
}

/** The maximum number of browsers of one staff member that get push notifications. */
export const MOST_PUSH_SUBSCRIPTIONS = 20

/**
 * Whether the server can send push messages to this address. The push service must be on the public internet, and the keys
 * must have the form of RFC 8291.
 */
export async function isUsableAddress(
  { endpoint, p256dh, auth }: BrowserAddress,
  { config }: Dependencies<'config'>,
): Promise<boolean> {
  if (!isPublicKey(bytesOf(p256dh)) || bytesOf(auth).length !== SECRET_BYTES) return false
  try {
    await checkedTarget(endpoint, config)
    return true
  } catch (error) {
    if (error instanceof EgressError) return false
    throw error
  }
}

const LONGEST_KEY = 100

/** Decodes a key of the browser. Some browsers pad the text with the character `=`, which the decoder ignores. */
export const bytesOf = (text: string): Buffer => Buffer.from(text.slice(0, LONGEST_KEY), 'base64url')

/**
 * Stores the subscription of a browser session, and replaces an earlier one of the same session or the same browser. If the
 * staff member has too many, the oldest one ends.
 */
export async function pushSubscriptionStore(
  tx: Database,
  { session, staffId, address, locale }: { session: string; staffId: string; address: BrowserAddress; locale: string },
  { box, now }: { box: Parameters<typeof seal>[0]; now: Date },
): Promise<void> {
  const digest = secretDigest(address.endpoint)
  await sql`delete from push_subscriptions where session_id = ${session} or endpoint_digest = ${digest}`.execute(tx)
  await sql`
    delete from push_subscriptions where id in (
      select p.id from push_subscriptions p join staff_sessions o on o.id = p.session_id where o.staff_id = ${staffId}
      order by p.created_at desc, p.id offset ${MOST_PUSH_SUBSCRIPTIONS - 1})`.execute(tx)
  const row = { id: newId('psh'), session_id: session, endpoint_digest: digest, locale, created_at: now }
  await tx
    .insertInto('push_subscriptions')
    .values({ ...row, sealed: seal(box, JSON.stringify(address)) })
    .execute()
}

export const pushStateOf = (db: Database, session: string): Promise<PushState | undefined> =>
  db.selectFrom('push_subscriptions').select('shows_details').where('session_id', '=', session).executeTakeFirst()

export async function pushDetailsSet(db: Database, session: string, shows_details: boolean): Promise<void> {
  await db.updateTable('push_subscriptions').set({ shows_details }).where('session_id', '=', session).execute()
}

/** Stores the language in which the staff member uses the desk. The notifications have the same language. */
export async function pushLanguageSet(db: Database, session: string, locale: string): Promise<void> {
  await db.updateTable('push_subscriptions').set({ locale }).where('session_id', '=', session).execute()
}

export async function pushSubscriptionOfSessionEnd(db: Database, session: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('session_id', '=', session).execute()
}

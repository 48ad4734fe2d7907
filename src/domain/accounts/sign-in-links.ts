import { sql } from 'kysely'
import { digestOf } from '../../core/tokens/stored-oauth-state.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'

/** A sign-in link is valid for this many minutes, and works only once. */
export const SIGN_IN_LINK_MINUTES = 15

const TAG_BYTES = 24

/**
 * Computes the secret of a sign-in link from the id of the link and a secret key of this server. Stored mails contain
 * only the id of the link. Therefore a person who reads the stored mails cannot sign in.
 */
const secretOf = (tag: Tag, link: string) => tag('sign in', link, TAG_BYTES)

/**
 * Returns the web address of a sign-in link. Its query parameter `back` names the page that opens after the sign-in.
 * The server deletes expired links from the database. The page for an expired link can then still read `back`, and
 * offer a new link to the same page.
 */
export function signInUrl(baseUrl: string, tag: Tag, { id, back }: { id: string; back: string | undefined }): string {
  const query = back === undefined ? '' : `?back=${encodeURIComponent(back)}`
  return `${baseUrl}/my/enter/${secretOf(tag, id)}${query}`
}

export interface SignInLink {
  email: string
  return_to: string | null
}

/**
 * Takes a lock, so that parallel requests for sign-in links to the same email address wait for each other. Without the
 * lock, parallel requests could exceed the limit of unused links.
 */
export async function signInLinksLock(tx: Database, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in links ${email}`}, 0))`.execute(tx)
}

export async function signInLinksOpen(db: Database, email: string, now: Date): Promise<number> {
  const rows = await db
    .selectFrom('sign_in_links')
    .select('digest')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .execute()
  return rows.length
}

export function signInLinkInsert(tx: UnitOfWork, tag: Tag, link: SignInLink & { id: string }, now: Date): void {
  const { id, ...row } = link
  const expires_at = new Date(now.getTime() + SIGN_IN_LINK_MINUTES * MINUTE)
  tx.insert('sign_in_links', { ...row, digest: digestOf(secretOf(tag, id)), expires_at })
}

export async function signInLinkFind(db: Database, secret: string, now: Date): Promise<SignInLink | undefined> {
  return db
    .selectFrom('sign_in_links')
    .select(['email', 'return_to'])
    .where('digest', '=', digestOf(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/**
 * Deletes a valid sign-in link and returns its data, so that the link works only once. If two requests use the same
 * link in parallel, only one request gets the data.
 */
export async function signInLinkUse(tx: Database, secret: string, now: Date): Promise<SignInLink | undefined> {
  return tx
    .deleteFrom('sign_in_links')
    .where('digest', '=', digestOf(secret))
    .where('expires_at', '>', now)
    .returning(['email', 'return_to'])
    .executeTakeFirst()
}

export async function signInLinksErase(tx: Database, email: string): Promise<void> {
  await tx.deleteFrom('sign_in_links').where('email', '=', email).execute()
}

export async function deleteExpiredSignInLinks(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_links').where('expires_at', '<', now).execute()
}

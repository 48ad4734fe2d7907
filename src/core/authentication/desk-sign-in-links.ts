import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'

/** How many minutes an unused desk link stays valid. A desk link is a URL that signs in one staff member once. */
export const STAFF_LINK_MINUTES = 60

const TAG_BYTES = 24

const urlOf = (baseUrl: string, secret: string) => `${baseUrl}/desk/enter/${secret}`
const secretOf = (tag: Tag, link: string) => tag('desk link', link, TAG_BYTES)
const later = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE)

/**
 * Creates a desk link (a URL that signs in a staff member once). The URL contains a secret, and the server stores only
 * a digest of this secret.
 */
export async function staffLinkMake(db: Database, baseUrl: string, staffId: string, now: Date): Promise<string> {
  const secret = newSecret('desk')
  await db
    .insertInto('staff_links')
    .values({ digest: secretDigest(secret), staff_id: staffId, expires_at: later(now, STAFF_LINK_MINUTES) })
    .execute()
  return urlOf(baseUrl, secret)
}

/**
 * Stores a desk link (a sign-in URL for a staff member) that the server will mail. The server derives the secret of the
 * link from the link id and a server key. Therefore the mails in the database do not contain the secret.
 */
export function staffLinkInsert(
  tx: UnitOfWork,
  tag: Tag,
  { id, staffId, minutes }: { id: string; staffId: string; minutes: number },
  now: Date,
): void {
  const digest = secretDigest(secretOf(tag, id))
  tx.insert('staff_links', { digest, staff_id: staffId, expires_at: later(now, minutes) })
}

export const staffLinkUrl = (baseUrl: string, tag: Tag, id: string): string => urlOf(baseUrl, secretOf(tag, id))

/**
 * Returns the name of the staff member who can sign in with the desk link. Returns undefined if the link is unknown or
 * has expired.
 */
export async function staffLinkFind(db: Database, secret: string, now: Date): Promise<string | undefined> {
  const found = await db
    .selectFrom('staff_links as l')
    .innerJoin('staff as s', 's.id', 'l.staff_id')
    .select('s.name')
    .where('l.digest', '=', secretDigest(secret))
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
  return found?.name
}

/**
 * Uses up a desk link (a sign-in URL), and returns the id of its staff member. If two requests use the link at the same
 * time, the second request gets undefined.
 */
export async function staffLinkUse(tx: Database, secret: string, now: Date): Promise<string | undefined> {
  const used = await tx
    .deleteFrom('staff_links')
    .where('digest', '=', secretDigest(secret))
    .where('expires_at', '>', now)
    .returning('staff_id')
    .executeTakeFirst()
  return used?.staff_id
}

export async function staffLinksOpen(db: Database, staffId: string, now: Date): Promise<number> {
  const rows = await db
    .selectFrom('staff_links')
    .select('digest')
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', now)
    .execute()
  return rows.length
}

export async function staffLinksEnd(tx: Database, staffId: string): Promise<void> {
  await tx.deleteFrom('staff_links').where('staff_id', '=', staffId).execute()
}

export const deleteExpiredStaffLinks = (db: Database, now: Date) => deleteBefore(db, 'staff_links', 'expires_at', now)

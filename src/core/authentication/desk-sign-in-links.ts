import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'

/** How many minutes an unused desk link stays valid. A desk link signs in one staff member, and only once. */
export const STAFF_LINK_MINUTES = 60

const TAG_BYTES = 24

const urlOf = (baseUrl: string, secret: string) => `${baseUrl}/desk/enter/${secret}`
const secretOf = (tag: Tag, link: string) => tag('desk link', link, TAG_BYTES)
const later = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE)

/** Creates a desk link and returns its address. The server stores only a digest of the secret. */
export async function staffLinkMake(db: Database, baseUrl: string, staffId: string, now: Date): Promise<string> {
  const secret = newSecret('desk')
  await db
    .insertInto('staff_links')
    .values({ digest: secretDigest(secret), staff_id: staffId, expires_at: later(now, STAFF_LINK_MINUTES) })
    .execute()
  return urlOf(baseUrl, secret)
}

/**
 * Creates a desk link for a mail. The secret of the link is not stored: the server derives it from the link id and a
 * server key. The mails in the database therefore do not reveal the secret.
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
 * Returns the name of the staff member whom the desk link signs in. Returns undefined if the link is unknown or has
 * expired.
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
 * Uses up a desk link, and returns the id of the staff member whom it signs in. If two requests use the link at the
 * same time, the second one gets undefined.
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

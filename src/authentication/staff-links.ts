import type { Database } from '../db/database.ts'
import { deleteBefore } from '../db/in-batches.ts'
import { newSecret, secretDigest } from '../keys/secrets.ts'
import { MINUTE } from '../time/units.ts'

/** A link that opens the desk for one person: it works once. */
export const STAFF_LINK_MINUTES = 60

/** Returns its address. The secret in it is kept nowhere. */
export async function staffLinkMake(db: Database, baseUrl: string, staffId: string, now: Date): Promise<string> {
  const secret = newSecret('desk')
  const expires_at = new Date(now.getTime() + STAFF_LINK_MINUTES * MINUTE)
  await db
    .insertInto('staff_links')
    .values({ digest: secretDigest(secret), staff_id: staffId, expires_at })
    .execute()
  return `${baseUrl}/desk/enter/${secret}`
}

/** For whom it is. */
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

/** Of two who use it at once one finds it gone. */
export async function staffLinkUse(tx: Database, secret: string, now: Date): Promise<string | undefined> {
  const used = await tx
    .deleteFrom('staff_links')
    .where('digest', '=', secretDigest(secret))
    .where('expires_at', '>', now)
    .returning('staff_id')
    .executeTakeFirst()
  return used?.staff_id
}

export const forgetStaffLinks = (db: Database, now: Date) => deleteBefore(db, 'staff_links', 'expires_at', now)

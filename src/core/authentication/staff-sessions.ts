import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { newSecret, secretDigest } from '../keys/encrypt-secrets.ts'
import { type Person, personOf } from './staff-members.ts'

/**
 * How many seconds a browser session of a staff member lasts: thirty days from the sign-in. Use does not extend the
 * session. Therefore requests write nothing to the database, and a lost device is signed out after thirty days at the
 * latest. A shorter session would disturb staff who work with the pages all day.
 */
export const DESK_SESSION_SECONDS = 30 * 24 * 3600
const DAYS = 30

/** A browser session: one staff member is signed in to the staff pages in one browser. */
export interface BrowserSession {
  id: string
  device: string
  created_at: Date
}

/** A staff member who is signed in to the staff pages in one browser. */
export interface SignedInStaff extends Person {
  /** The id of the browser session. */
  session: string
  /** The language of the push notifications to this browser. Undefined if it gets none. */
  pushLocale: string | undefined
}

/**
 * Begins a browser session of a staff member. Returns the secret that the browser stores. The function creates a new
 * secret if the caller passes none.
 */
export async function staffSessionBegin(
  tx: Database,
  {
    staffId,
    device,
    secret = newSecret('desk'),
    isByCompany = false,
  }: { staffId: string; device: string; secret?: string | undefined; isByCompany?: boolean },
  now: Date,
): Promise<string> {
  const row = { digest: secretDigest(secret), id: newId('ses'), staff_id: staffId, device, by_company: isByCompany }
  const expires_at = new Date(now.getTime() + DAYS * DAY)
  await tx
    .insertInto('staff_sessions')
    .values({ ...row, created_at: now, expires_at })
    .execute()
  return secret
}

export async function staffOfSession(db: Database, secret: string, now: Date): Promise<SignedInStaff | undefined> {
  const found = await db
    .selectFrom('staff_sessions as o')
    .innerJoin('staff as s', 's.id', 'o.staff_id')
    .leftJoin('push_subscriptions as p', 'p.session_id', 'o.id')
    .select(['s.id', 's.name', 's.role', 'o.id as session', 'p.locale as push_locale'])
    .where('o.digest', '=', secretDigest(secret))
    .where('o.expires_at', '>', now)
    .executeTakeFirst()
  return found && { ...personOf(found), session: found.session, pushLocale: found.push_locale ?? undefined }
}

export const staffSessions = (db: Database, staffId: string, now: Date): Promise<BrowserSession[]> =>
  db
    .selectFrom('staff_sessions')
    .select(['id', 'device', 'created_at'])
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute()

export async function staffSessionEnd(db: Database, staffId: string, id: string): Promise<void> {
  await db.deleteFrom('staff_sessions').where('staff_id', '=', staffId).where('id', '=', id).execute()
}

export const deleteExpiredStaffSessions = (db: Database, now: Date) =>
  deleteBefore(db, 'staff_sessions', 'expires_at', now)

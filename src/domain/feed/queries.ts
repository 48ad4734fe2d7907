import { type Selectable, sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import type { FeedSubscriptions } from '../../infra/db/schema.generated.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import type { CreateFeedSubscription } from '../../protocol/types.generated.ts'
import type { Status } from './lifecycle.ts'
import { siteAt } from './subscription-quota.ts'

export type Subscription = Selectable<FeedSubscriptions>
type Wish = CreateFeedSubscription['input']

interface NewSubscription extends Wish {
  id: string
  crowd: string
  caller: Caller
  now: Date
}

/**
 * Takes a database lock for the site (domain) of a callback URL. Only one transaction at a time then creates
 * subscriptions for this site. Without the lock, parallel transactions could create duplicates or exceed the limit of
 * the site.
 */
export async function callbackSiteLock(tx: Database, callback: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`callback ${siteAt(callback)}`}, 0))`.execute(tx)
}

/**
 * Updates the caller's subscription with this callback URL, and resumes it if it is paused. Returns undefined if the
 * caller has no active or paused subscription with this URL.
 */
export async function subscriptionUpdate(
  tx: Database,
  { callback_url, categories, events }: Wish,
  { identities, profile }: Caller,
): Promise<Subscription | undefined> {
  const { rows } = await sql<Subscription>`
    update feed_subscriptions set
      categories = ${categories ?? null}::text[], events = ${events ?? null}::text[], status = 'active'
    where id = (
      select id from feed_subscriptions
      where principal = any(${identities}::text[]) and profile = ${profile} and callback_url = ${callback_url}
        and status <> 'canceled'
      order by created_at limit 1 for update
    )
    returning *`.execute(tx)
  return rows[0]
}

export async function countInQuota(tx: Database, crowd: string): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from feed_subscriptions where crowd = ${crowd} and status <> 'canceled'`.execute(
    tx,
  )
  return onlyRow(counted).count
}

/**
 * Stores an active subscription to all later changes of the catalogue. Returns undefined if the server has no business
 * definition (the file that describes the business) yet.
 */
export async function subscriptionInsert(
  db: Database,
  subscription: NewSubscription,
): Promise<Subscription | undefined> {
  const { id, callback_url, categories, events, crowd, caller, now } = subscription
  const { rows } = await sql<Subscription>`
    insert into feed_subscriptions
      (id, principal, profile, callback_url, categories, events, status, position_modified_at, position_id, created_at,
       crowd)
    select ${id}, ${caller.principal}, ${caller.profile}, ${callback_url}, ${categories ?? null}::text[],
           ${events ?? null}::text[], 'active', b.catalogue_modified_at, coalesce(last.id, ''), ${now}, ${crowd}
    from business b
    left join lateral (select s.id from services s where s.modified_at = b.catalogue_modified_at order by s.id desc limit 1) last on true
    returning *`.execute(db)
  return rows[0]
}

export async function subscriptionFind(db: Database, id: string, caller: Caller): Promise<Subscription | undefined> {
  return owned(db, id, caller).executeTakeFirst()
}

export async function subscriptionLock(db: Database, id: string, caller: Caller): Promise<Subscription | undefined> {
  return owned(db, id, caller).forUpdate().executeTakeFirst()
}

export async function subscriptionSetStatus(
  db: Database,
  { id, canceled_at }: Subscription,
  status: Status,
  now: Date,
): Promise<Subscription> {
  return db
    .updateTable('feed_subscriptions')
    .set({ status, canceled_at: status === 'canceled' ? (canceled_at ?? now) : null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const owned = (db: Database, id: string, { identities, profile }: Caller) =>
  db
    .selectFrom('feed_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('principal', 'in', identities)
    .where('profile', '=', profile)

/**
 * The server deletes canceled subscriptions to catalogue changes after this number of days. The events about a
 * subscription are kept for the same time.
 */
const RETENTION_DAYS = 30

export const deleteOldSubscriptions = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'feed_subscriptions', 'canceled_at', new Date(now.getTime() - RETENTION_DAYS * DAY))

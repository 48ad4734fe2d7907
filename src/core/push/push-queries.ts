import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { dueAfterCrash, isFree, LEASED } from '../jobs/row-lease.ts'

/** A push message that this process sends now. */
export interface PushMessage {
  id: string
  subscription_id: string
  kind: string
  subject: string
  at: Date
  sealed: Buffer
  locale: string
  shows_details: boolean
  /** How often sending to this subscription has failed since the last success. */
  failures: number
}

const MOST_NEWS = 100

/**
 * Queues a message for each subscription about the news since the last call. A subscription gets no news from before it
 * existed. One statement marks the news and queues the messages, so each message is queued once.
 */
export async function queueMessages(db: Database, now: Date): Promise<void> {
  await sql`
    with fresh as (
      select id, at from staff_news where queued_at is null order by at limit ${MOST_NEWS} for update skip locked
    ), marked as (
      update staff_news set queued_at = ${now} where id in (select id from fresh)
    )
    insert into push_messages (subscription_id, news_id, next_at)
    select p.id, fresh.id, ${now}
    from fresh join push_subscriptions p on p.created_at <= fresh.at
      join staff_sessions o on o.id = p.session_id and o.expires_at > ${now}
    order by fresh.at
    on conflict do nothing`.execute(db)
}

/**
 * Leases at most `most` due messages to this process, and at most one for each subscription. Therefore a slow push service
 * delays only its own subscriptions.
 */
export async function messagesLease(db: Database, most: number, now: Date): Promise<PushMessage[]> {
  const { rows } = await sql<PushMessage>`
    with due as (
      select distinct on (m.subscription_id) m.id, m.next_at
      from push_messages m join push_subscriptions p on p.id = m.subscription_id
      where m.next_at <= ${now} and ${isFree('m')} and (p.resting_until is null or p.resting_until <= ${now})
        and not exists (
          select from push_messages busy where busy.subscription_id = m.subscription_id and busy.leased_until > now())
      order by m.subscription_id, m.id
    ), taken as (
      select m.id from push_messages m
      where m.id = any (array(select id from due order by next_at, id limit 2 * ${most}::integer)) and ${isFree('m')}
      order by m.id limit ${most} for update skip locked
    )
    update push_messages m set leased_until = ${LEASED}, begun = m.begun + 1,
      next_at = ${dueAfterCrash(sql.ref('m.next_at'), sql.ref('m.begun'), now)}
    from push_subscriptions p, staff_news n
    where m.id = any (array(select id from taken)) and p.id = m.subscription_id and n.id = m.news_id
    returning m.id, m.subscription_id, n.kind, n.subject, n.at, p.sealed, p.locale, p.shows_details, p.failures`.execute(
    db,
  )
  return rows
}

/** Deletes a message that is sent or given up. After a success, the subscription has no failures any more. */
export async function messageEnd(
  db: Database,
  { id, subscription_id }: Pick<PushMessage, 'id' | 'subscription_id'>,
  isSent: boolean,
): Promise<void> {
  await sql`
    with gone as (delete from push_messages where id = ${id})
    update push_subscriptions set failures = 0, resting_until = null
    where id = ${subscription_id} and ${isSent} and failures > 0`.execute(db)
}

/** Ends the lease of a message. The server sends nothing to its subscription until the time `until`. */
export async function messagePostpone(
  db: Database,
  { id, subscription_id, failures }: Pick<PushMessage, 'id' | 'subscription_id' | 'failures'>,
  until: Date,
): Promise<void> {
  await sql`
    with free as (update push_messages set leased_until = null, begun = 0, next_at = ${until} where id = ${id})
    update push_subscriptions set failures = ${failures + 1}, resting_until = ${until}
    where id = ${subscription_id}`.execute(db)
}

/** Deletes a subscription that the push service no longer knows, and its messages. */
export async function subscriptionDelete(db: Database, id: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/**
 * Stores the rows of an SQL query as news. Its columns are `id`, `kind`, `subject` and `at`. News with a known id are
 * ignored, so a job can repeat the query.
 */
export async function newsInsert(db: Database, rows: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into staff_news (id, kind, subject, at) select id, kind, subject, at from (${rows}) as found
    on conflict do nothing`.execute(db)
}

const KEPT_DAYS = 30

export const deleteOldNews = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'staff_news', 'at', new Date(now.getTime() - KEPT_DAYS * DAY))

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { dueAfterCrash, isFree, LEASED } from '../jobs/row-lease.ts'
import { CROWD_OF_STRANGERS, FOR_STRANGERS, TO_SUBSCRIPTION } from './receivers.ts'

export interface Due {
  id: string
  event_id: string
  type: string
  receiver: string
  subject: string
  at: Date
  body: object | null
  snapshot: unknown
  /**
   * The row version of the event in the database. Each update gives the row a new version. If the version differs
   * later, another process has changed the event meanwhile.
   */
  version: string
  traceparent: string | null
  attempts: number
  /**
   * How many times a process has started to send the event since the last finished attempt. The number includes the
   * present start.
   */
  starts: number
  /**
   * The URL that receives the events of a subscription. Null if the receiver is a platform, or if the subscription has
   * ended.
   */
  callback_url: string | null
  /**
   * Whether the receiver answered an earlier event with HTTP status 410 (gone). The receiver then wants no more events.
   */
  gone: boolean
}

/**
 * The maximum number of events that the server sends to one receiver at the same time. With this limit, a slow receiver
 * cannot block other receivers.
 */
const MOST_AT_ONCE = 32
/**
 * The maximum number of events that the server sends at the same time to a receiver that failed several times. The same
 * limit applies to events that strangers (callers with an unpublished key) caused.
 */
const MOST_WHEN_FAILING = 2
/**
 * The maximum number of events that the server sends at the same time to all receivers of strangers (callers with an
 * unpublished key). A stranger can create a thousand receivers at no cost. A receiver that does not answer occupies one
 * of these concurrent sends for seconds.
 */
const MOST_OF_STRANGERS = 32

/**
 * Leases due event deliveries (tasks to send one event to one receiver) to this process. A queue contains the events
 * about one subject for one receiver, and only the first delivery of each queue can be leased. Deliveries to a paused
 * subscription keep their position.
 * - Order: Replaceable events only report a current state. They come after all other events, but each receiver can
 *   always have one replaceable event in progress.
 * - Speed: The query finds the receivers one by one through an index, so a skipped receiver costs nothing. It selects
 *   twice the needed number of deliveries, because another server can be leasing some of them. It passes the delivery
 *   ids as an array, because with a join PostgreSQL would read all waiting deliveries.
 */
export async function deliveriesLease(db: Database, most: number, now: Date): Promise<Due[]> {
  const isBehind = sql`replaceable_busy > 0 or row_number() over (order by d.next_at, d.id) > 1`
  const urgent = dueQueueHeads(sql`not d.replaceable`, sql`false`, now)
  const replaceable = dueQueueHeads(sql`d.replaceable`, isBehind, now)
  const { rows } = await sql<Due>`
    with recursive waiting as (
      (select receiver from deliveries where first order by receiver limit 1)
      union all
      select (select d.receiver from deliveries d where d.first and d.receiver > w.receiver order by d.receiver limit 1)
      from waiting w where w.receiver is not null
    ), known as (
      select w.receiver, u.busy, u.replaceable_busy,
        greatest(case when r.failures > 2 or w.receiver like ${`${FOR_STRANGERS}%`}
          then ${MOST_WHEN_FAILING}::integer else ${MOST_AT_ONCE}::integer end - u.busy, 0) as free,
        w.receiver like ${`${FOR_STRANGERS}%`} or coalesce(s.crowd like ${`${CROWD_OF_STRANGERS}%`}, false) as strange
      from waiting w
      cross join lateral (
        select count(*) as busy, count(*) filter (where replaceable) as replaceable_busy
        from deliveries where receiver = w.receiver and leased_until > now()
      ) u
      left join receivers r on r.receiver = w.receiver
      left join feed_subscriptions s on s.id = ${subscriptionOf('w')}
      where w.receiver is not null and (r.resting_until is null or r.resting_until <= ${now})
        and s.status is distinct from 'paused'
    ), ready as (
      select head.id, head.next_at, head.yields, strange,
        row_number() over (partition by strange order by head.yields, head.next_at, head.id) as place
      from known cross join lateral (
        select * from (${urgent} union all ${replaceable}) due order by yields, next_at, id limit free
      ) head
    ), chosen as (
      select id from ready
      where not strange or place <= ${MOST_OF_STRANGERS}::integer - (select sum(busy) from known where strange)
      order by yields, next_at, id limit 2 * ${most}::integer
    ), taken as (
      select d.id from deliveries d
      where d.id = any (array(select id from chosen)) and coalesce(d.first, false) and ${isFree('d')}
      order by array_position(array(select id from chosen), d.id) limit ${most}
      for update of d skip locked
    )
    update deliveries d set leased_until = ${LEASED}, begun = d.begun + 1,
      next_at = ${dueAfterCrash(sql.ref('d.next_at'), sql.ref('d.begun'), now)}
    from events e
    where d.id = any (array(select id from taken)) and e.id = d.event_id
    returning d.id, d.event_id, d.receiver, d.subject, d.attempts, d.begun as starts, e.type, e.at, e.body, e.snapshot,
      e.xmin::text as version, e.traceparent,
      (select s.callback_url from feed_subscriptions s
        where s.id = ${subscriptionOf('d')} and s.status <> 'canceled') as callback_url,
      exists (select from receivers r where r.receiver = d.receiver and r.gone_at is not null) as gone`.execute(db)
  return rows
}

/**
 * SQL for the event deliveries to one receiver that are due now and first in their queues. The condition `isOfRank`
 * selects either replaceable events or all other events.
 */
const dueQueueHeads = (isOfRank: RawBuilder<unknown>, yields: RawBuilder<unknown>, now: Date) => sql`
  (select d.id, d.next_at, ${yields} as yields from deliveries d
    where d.receiver = known.receiver and d.first and ${isOfRank} and d.next_at <= ${now} and ${isFree('d')}
    order by d.next_at, d.id limit free)`

/**
 * SQL that reads the subscription id from the name of a receiver. If the receiver is a platform, the result matches no
 * subscription.
 */
const subscriptionOf = (table: string) => sql`substr(${sql.ref(`${table}.receiver`)}, length(${TO_SUBSCRIPTION}) + 1)`

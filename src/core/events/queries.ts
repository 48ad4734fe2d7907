import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import { currentTraceparent } from '../../infra/telemetry/tracing.ts'
import { isFree } from '../jobs/row-lease.ts'
import type { Due } from './lease-deliveries.ts'
import { TO_SUBSCRIPTION } from './receivers.ts'

export interface NewEvent {
  id: string
  type: string
  subject: string
  /**
   * The content of the event: either the finished body, or a snapshot of the event's subject, such as a booking. From a
   * snapshot, the server builds the body when it first sends the event.
   */
  content: { body: object } | { snapshot: object }
}

/** An event receiver: its name, or its name with the earliest time at which the server may send the event. */
export type Receiver = string | { receiver: string; notBefore: Date }

export async function eventInsert(
  tx: Database,
  event: NewEvent,
  receivers: readonly Receiver[],
  now: Date,
): Promise<void> {
  const { id, type, subject, content } = event
  const names = receivers.map((one) => (typeof one === 'string' ? one : one.receiver))
  const times = receivers.map((one) => (typeof one === 'string' ? now : one.notBefore))
  const text = (value: object | undefined) => (value ? JSON.stringify(value) : null)
  const query = sql`
    with event as (
      insert into events (id, type, subject, body, snapshot, at, traceparent)
      values (${id}, ${type}, ${subject}, ${text('body' in content ? content.body : undefined)}::json,
        ${text('snapshot' in content ? content.snapshot : undefined)}::json, ${now}, ${currentTraceparent() ?? null})
      returning id
    )
    insert into deliveries (event_id, receiver, subject, status, next_at)
    select event.id, receiver, ${subject}, 'waiting', not_before
    from event, unnest(${names}::text[], ${times}::timestamptz[]) as told (receiver, not_before)`
  await executePrepared(tx, query)
}

/** Several new events of one type. One SQL statement inserts all of them. */
export interface NewEvents {
  type: string
  /** The ids for the new events. The list must contain at least one id for each row of the query `rows`. */
  ids: readonly string[]
  /**
   * An SQL query with one row for each event and receiver. Its columns are `place` (the position in the order of the
   * events), `subject`, `snapshot` and `receiver`.
   */
  rows: RawBuilder<unknown>
  /**
   * Whether a newer event about the same subject may replace these events. The server replaces an event only if it has
   * not tried to send this event yet.
   */
  replaceable: boolean
}

const isUnsent = sql`(d.attempts = 0 and d.begun = 0 and d.leased_until is null)`

/**
 * Inserts events in the order of the column `place`. A replaceable event only reports a current state, such as a
 * waitlist position. If the last event of a queue is replaceable and the server has not tried to send it, the new event
 * takes its position. The server then deletes the old event.
 */
export async function eventsInsert(
  tx: Database,
  { type, ids, rows, replaceable }: NewEvents,
  now: Date,
): Promise<void> {
  await sql`
    with told as (
      select (${ids}::text[])[row_number() over (order by place)::integer] as id, place, subject, snapshot, receiver
      from (${rows}) as rows
    ), event as (
      insert into events (id, type, subject, snapshot, at, traceparent)
      select id, ${type}, subject, snapshot, ${now}, ${currentTraceparent() ?? null} from told order by place
    ), last_of_queue as (
      select distinct on (told.id) told.id, d.id as delivery, d.event_id as replaced,
        d.replaceable and ${isUnsent} as is_unsent
      from told join deliveries d on d.receiver = told.receiver and d.subject = told.subject and d.status = 'waiting'
      order by told.id, d.id desc
    ), taken_over as (
      update deliveries d set event_id = l.id, replaceable = ${replaceable}
      from last_of_queue l where l.is_unsent and d.id = l.delivery and ${isUnsent}
      returning l.id, l.replaced
    ), deleted as (
      delete from events where id in (select replaced from taken_over)
    )${replaceable ? sql`` : retriesEnd(now)}
    insert into deliveries (event_id, receiver, subject, status, next_at, replaceable)
    select id, receiver, subject, 'waiting', ${now}, ${replaceable} from told
    where id not in (select id from taken_over) order by place`.execute(tx)
}

/**
 * SQL that ends the retries of earlier replaceable events, because they only report an outdated state. Otherwise, the
 * new event would wait in the queue behind these retries.
 */
const retriesEnd = (now: Date) => sql`, retries as (
      update deliveries d set status = 'unwanted', ended_at = ${now}
      from told where d.receiver = told.receiver and d.subject = told.subject and d.status = 'waiting' and d.replaceable
        and (d.attempts > 0 or d.begun > 0) and ${isFree('d')}
    )`

/** The content of an event: its body, or a snapshot of its subject if the server has not built the body yet. */
export type EventContent = Pick<Due, 'body' | 'snapshot' | 'version'>

export async function eventContentFind(db: Database, eventId: string): Promise<EventContent | undefined> {
  const { rows } = await sql<EventContent>`
    select body, snapshot, xmin::text as version from events where id = ${eventId}`.execute(db)
  return rows[0]
}

/**
 * Stores the body of an event. Returns false, and stores nothing, if another process has changed the event since
 * `version`.
 */
export async function bodyStore(db: Database, eventId: string, body: object, version: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update events set body = ${JSON.stringify(body)}::json
    where id = ${eventId} and xmin::text = ${version}`.execute(db)
  return numAffectedRows > 0n
}

interface Attempt {
  /** The HTTP status of the receiver's answer to an event. Undefined if the receiver did not answer. */
  status: number | undefined
  problem: string | undefined
  milliseconds: number
  outcome: { status: 'delivered' | 'given_up' | 'unwanted' | 'waiting'; next: Date }
}

/**
 * Stores the result of an attempt to send an event. Ignores the result if the delivery has already ended. If the server
 * stores the same failure twice, the failure still counts once.
 */
export async function attemptInsert(
  db: Database,
  { id, receiver, attempts }: Pick<Due, 'id' | 'receiver' | 'attempts'>,
  { status, problem, milliseconds, outcome }: Attempt,
  now: Date,
): Promise<void> {
  const ended = outcome.status === 'waiting' ? null : now
  const health = problem === undefined ? receiverRecovered(receiver) : receiverFailed(receiver, now)
  await sql`
    with ended as (
      update deliveries set status = ${outcome.status}, attempts = attempts + 1, begun = 0, next_at = ${outcome.next},
        leased_until = null, ended_at = ${ended}
      where id = ${id} and status = 'waiting' and (attempts = ${attempts} or ${outcome.status} <> 'waiting')
      returning id
    ), entry as (
      insert into delivery_attempts (delivery_id, at, status, problem, milliseconds)
      select id, ${now}, ${status}::integer, ${problem}::text, ${milliseconds}::integer from (
        table ended union all select id from deliveries where id = ${id} and status <> 'waiting'
      ) counted
    ), health as (${health})
    select from ended`.execute(db)
}

/**
 * Ends the lease of an event delivery after the server could not reach its own database. This failure does not count as
 * an attempt to send the event.
 */
export async function attemptPostpone(db: Database, { id }: Pick<Due, 'id'>, until: Date): Promise<void> {
  await sql`update deliveries set begun = 0, next_at = ${until}, leased_until = null
    where id = ${id} and status = 'waiting'`.execute(db)
}

/**
 * SQL that deletes the recorded failures of an event receiver after a success. A receiver without failures has no row
 * in the table `receivers`. With such a row, concurrent deliveries would have to wait for its lock.
 */
const receiverRecovered = (receiver: string) =>
  sql`delete from receivers where receiver = ${receiver} and gone_at is null`

/**
 * SQL that counts a failure of an event receiver. After ten failures, the server pauses deliveries to this receiver for
 * at most five minutes. Failures during a pause do not count, so a short outage causes only a short pause.
 */
const receiverFailed = (receiver: string, now: Date) => sql`
  insert into receivers (receiver, failures, noted_at) select ${receiver}, 1, ${now}::timestamptz from ended
  on conflict (receiver) do update set
    failures = receivers.failures + 1,
    noted_at = excluded.noted_at,
    resting_until = case when receivers.failures < 9 then null
      else ${now}::timestamptz + least(interval '5 minutes', interval '5 seconds' * power(2, least(receivers.failures - 9, 10)))
    end
  where receivers.resting_until is null or receivers.resting_until <= ${now}`

/**
 * Records that an event receiver answered 410 (gone) and wants no more events. If the receiver is a subscription, the
 * function also cancels the subscription.
 */
export async function receiverEnd(db: Database, receiver: string, now: Date): Promise<void> {
  await sql`
    with ended as (
      update feed_subscriptions set status = 'canceled', canceled_at = ${now}
      where ${TO_SUBSCRIPTION} || id = ${receiver} and status <> 'canceled'
    )
    insert into receivers (receiver, failures, gone_at, noted_at) values (${receiver}, 0, ${now}, ${now})
    on conflict (receiver) do update set gone_at = excluded.gone_at, noted_at = excluded.noted_at`.execute(db)
}

import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface NewEvent {
  id: string
  type: string
  subject: string
  /** The body, or what it will be made of. */
  content: { body: object } | { snapshot: object }
}

/** Writes the event, and that it has to reach these receivers. */
export async function eventInsert(
  tx: Database,
  event: NewEvent,
  receivers: readonly string[],
  now: Date,
): Promise<void> {
  const { id, type, subject, content } = event
  const text = (value: object | undefined) => (value ? JSON.stringify(value) : null)
  await sql`
    with event as (
      insert into events (id, type, subject, body, snapshot, at)
      values (${id}, ${type}, ${subject}, ${text('body' in content ? content.body : undefined)}::json,
        ${text('snapshot' in content ? content.snapshot : undefined)}::json, ${now}) returning id
    )
    insert into deliveries (event_id, receiver, subject, status, next_at)
    select event.id, receiver, ${subject}, 'waiting', ${now}
    from event, unnest(${receivers}::text[]) as receiver`.execute(tx)
}

export interface Due {
  id: string
  event_id: string
  type: string
  receiver: string
  subject: string
  at: Date
  body: object | null
  snapshot: unknown
  attempts: number
  /** Of a subscription. */
  callback_url: string | null
}

/** At most this many of one receiver are on their way at once: one that is slow must not take every place. */
const EACH = 4

/**
 * Takes what is due and is first in its line, and marks it as being sent. A line is what one receiver is told of one
 * subject: its second event waits for the first. A paused subscription keeps its place.
 */
export async function deliveriesTake(db: Database, most: number, lease: Date, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with first as (
      select distinct on (d.receiver, d.subject) d.id, d.receiver, d.next_at, d.leased_until
      from deliveries d
      where d.status = 'waiting'
      order by d.receiver, d.subject, d.id
    ), ready as (
      select f.id, row_number() over (partition by f.receiver order by f.next_at, f.id) as nth,
        (select count(*) from first o where o.receiver = f.receiver and o.leased_until > ${now}) as underway
      from first f
      left join receivers r on r.receiver = f.receiver
      left join feed_subscriptions s on 'subscription ' || s.id = f.receiver
      where f.next_at <= ${now} and (f.leased_until is null or f.leased_until <= ${now})
        and (r.resting_until is null or r.resting_until <= ${now})
        and (s.status is null or s.status = 'active')
    ), taken as (
      select d.id from deliveries d join ready on ready.id = d.id
      where d.status = 'waiting' and (d.leased_until is null or d.leased_until <= ${now}) and nth + underway <= ${EACH}
      order by d.next_at, d.id limit ${most}
      for update of d skip locked
    )
    update deliveries d set leased_until = ${lease}
    from taken, events e
    where d.id = taken.id and e.id = d.event_id
    returning d.id, d.event_id, d.receiver, d.subject, d.attempts, e.type, e.at, e.body, e.snapshot,
      (select s.callback_url from feed_subscriptions s where 'subscription ' || s.id = d.receiver) as callback_url`.execute(
    db,
  )
  return rows
}

/** Keeps the body that is about to be sent, unless another attempt was first: then that one's is sent. */
export async function bodyKeep(db: Database, eventId: string, body: object): Promise<object> {
  const { rows } = await sql<{ body: object }>`
    update events set body = coalesce(body, ${JSON.stringify(body)}::json) where id = ${eventId} returning body`.execute(
    db,
  )
  return rows[0]?.body ?? body
}

interface Attempt {
  status: number | undefined
  problem: string | undefined
  milliseconds: number
}

/** Writes down how an attempt went and what follows from it. */
export async function attemptInsert(
  db: Database,
  { id, receiver }: Pick<Due, 'id' | 'receiver'>,
  { status, problem, milliseconds }: Attempt,
  outcome: { status: 'delivered' | 'given_up' | 'unwanted' | 'waiting'; next: Date },
  now: Date,
): Promise<void> {
  const ended = outcome.status === 'waiting' ? null : now
  await sql`
    with entry as (
      insert into delivery_attempts (delivery_id, at, status, problem, milliseconds)
      values (${id}, ${now}, ${status ?? null}, ${problem ?? null}, ${milliseconds})
    ), health as (
      insert into receivers (receiver, failures) values (${receiver}, ${problem === undefined ? 0 : 1})
      on conflict (receiver) do update set
        failures = case when ${problem === undefined} then 0 else receivers.failures + 1 end,
        resting_until = case when ${problem === undefined} or receivers.failures < 9 then null
          else ${now}::timestamptz + least(interval '5 minutes', interval '5 seconds' * power(2, least(receivers.failures - 9, 10)))
        end
    )
    update deliveries set status = ${outcome.status}, attempts = attempts + 1, next_at = ${outcome.next},
      leased_until = null, ended_at = ${ended}
    where id = ${id}`.execute(db)
}

/** When the next delivery falls due, for whoever has nothing to do until then. */
export async function nextDue(db: Database): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(next_at, leased_until)) as at from deliveries where status = 'waiting'`.execute(db)
  return rows[0]?.at ?? undefined
}

import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { BatchedTask } from '../../../protocol/change-in-batches.ts'

export interface DeliveryRow {
  id: string
  event_id: string
  event: string
  subject: string
  receiver: string
  status: 'waiting' | 'delivered' | 'given_up' | 'unwanted'
  attempts: number
  next_at: Date
  at: Date
  ended_at: Date | null
}

export interface AttemptRow {
  at: Date
  status: number | null
  problem: string | null
  milliseconds: number
}

interface Filter {
  status: string | undefined
  receiver: string | undefined
  subject: string | undefined
  before: string | undefined
  limit: number
}

const columns = sql`d.id::text, d.event_id, e.type as event, d.subject, d.receiver, d.status, d.attempts, d.next_at, e.at, d.ended_at`

/**
 * Converts the id of an event delivery (the task to send one event to one receiver) to a number for SQL. Any other text
 * becomes null, which matches no row.
 */
const numbered = (id: string) => sql`${isRowNumber(id) ? id : null}::bigint`
const isRowNumber = (id: string) => /^[1-9]\d{0,17}$/.test(id)

export async function deliveryList(
  db: Database,
  { status, receiver, subject, before, limit }: Filter,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d join events e on e.id = d.event_id
    where true
      ${status === undefined ? sql`` : sql`and d.status = ${status}`}
      ${receiver === undefined ? sql`` : sql`and d.receiver = ${receiver}`}
      ${subject === undefined ? sql`` : sql`and e.subject = ${subject}`}
      ${before === undefined ? sql`` : sql`and d.id < ${before}::bigint`}
    order by d.id desc limit ${limit}`.execute(db)
  return rows
}

export async function deliveryFind(db: Database, id: string): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d join events e on e.id = d.event_id where d.id = ${numbered(id)}`.execute(db)
  return rows[0]
}

export async function attemptsOf(db: Database, id: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select at, status, problem, milliseconds from delivery_attempts where delivery_id = ${numbered(id)} order by at`.execute(
    db,
  )
  return rows
}

/**
 * SQL condition for event deliveries that the server gave up after too many failures. The condition excludes deliveries
 * that a staff member has dismissed from the list of problems.
 */
export const isGivenUpNotDismissed = sql`d.status = 'given_up' and d.dismissed_at is null`

export async function deliveriesGivenUp(db: Database, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from deliveries d join events e on e.id = d.event_id
    where ${isGivenUpNotDismissed} order by d.id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Dismisses a failed event delivery, so the staff no longer see it as a problem. Returns the subject of the event, such
 * as a booking. Returns undefined if no open failure has this id.
 */
export async function deliveryDismiss(tx: Database, id: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ subject: string }>`
    update deliveries d set dismissed_at = ${now} where d.id = ${numbered(id)} and ${isGivenUpNotDismissed}
    returning d.subject`.execute(tx)
  return rows[0]?.subject
}

interface Lost {
  since: Date
  receiver: string | undefined
  after: string | undefined
}

/**
 * Returns the ids of event deliveries that the server gave up after too many failures. Returns at most `most` ids for
 * events after the time `since`, the oldest first.
 */
async function deliveriesGivenUpSince(
  db: Database,
  { since, receiver, after = '0' }: Lost,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id::text from deliveries d join events e on e.id = d.event_id
    where d.status = 'given_up' and d.id > ${after}::bigint and e.at >= ${since}
      ${receiver === undefined ? sql`` : sql`and d.receiver = ${receiver}`}
    order by d.id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Puts ended event deliveries (delivered or given up) back into the queue, and returns their ids. The server then sends
 * the same events again, with the same bodies and in the same order.
 */
export async function deliveriesReplay(tx: Database, ids: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries d set status = 'waiting', attempts = 0, next_at = ${now}, ended_at = null, dismissed_at = null
    where d.id = any (${ids.filter(isRowNumber)}::bigint[]) and d.status in ('given_up', 'delivered')
    returning d.id::text`.execute(tx)
  if (rows.length > 0) await sql`select pg_notify('deliveries', '')`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Puts failed event deliveries back into the queue, for all events after the time `since`. The task works in small
 * batches, because a week can contain very many events.
 */
export const replayGivenUp = (
  { since, receiver }: { since: Date; receiver: string | undefined },
  now: Date,
): BatchedTask => ({
  next: (tx, most, after) => deliveriesGivenUpSince(tx, { since, receiver, after }, most),
  work: (tx, ids) => deliveriesReplay(tx, ids, now),
})

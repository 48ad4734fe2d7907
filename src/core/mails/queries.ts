import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/in-batches.ts'
import { dueAfterCrash, isFree } from '../jobs/lease.ts'
import type { Channel } from './outbox.ts'

export interface MailRow {
  id: string
  channel: Channel
  kind: string
  subject: string
  audience: 'buyer' | 'staff'
  recipient: string
  phone: string | null
  locale: string
  snapshot: unknown
  status: 'waiting' | 'sent' | 'given_up' | 'dropped'
  attempts: number
  /** Starts since the last attempt that ended. While the mail is being sent, this includes the current one. */
  begun: number
  next_at: Date
  created_at: Date
  ended_at: Date | null
  problem: string | null
  traceparent: string | null
}

const columns = sql`id, channel, kind, subject, audience, recipient, phone, locale, snapshot, status, attempts, begun,
  next_at, created_at, ended_at, problem, traceparent`

/**
 * Longer than a failover of the database. People notice a mail that arrives twice more than one that a crash delays by
 * ten seconds.
 */
const LEASED = sql<Date>`now() + interval '15 seconds'`

/**
 * Leases up to `most` due mails of a channel, the first of each queue. The query selects twice as many, since another
 * server may be leasing the first ones.
 */
export async function mailsLease(db: Database, channel: Channel, most: number, now: Date): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    with due as (
      select id from mails m where first and channel = ${channel} and next_at <= ${now} and ${isFree('m')}
      order by next_at, number limit 2 * ${most}::integer
    ), taken as (
      select id from mails m where id = any (array(select id from due)) and first and ${isFree('m')}
      order by next_at, number limit ${most} for update skip locked
    )
    update mails set leased_until = ${LEASED}, begun = begun + 1,
      next_at = ${dueAfterCrash(sql.ref('next_at'), sql.ref('begun'), now)}
    where id = any (array(select id from taken))
    returning ${columns}`.execute(db)
  return rows
}

/** Extends the leases of mails in progress. It skips locked rows, so it cannot deadlock. */
export async function mailsRenew(db: Database, ids: string[]): Promise<void> {
  await sql`update mails set leased_until = ${LEASED}
    where id in (select id from mails where id = any(${ids}::text[]) and leased_until is not null
      for no key update skip locked)`.execute(db)
}

/**
 * Stores the result of an attempt and its effects, unless the mail has ended. A failed attempt counts once, even when its
 * outcome is written again.
 */
export async function attemptEnd(
  db: Database,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  { status, next, problem }: { status: MailRow['status']; next: Date; problem: string | undefined },
  now: Date,
): Promise<void> {
  const ended = status === 'waiting' ? null : now
  await sql`update mails set status = ${status}, attempts = attempts + 1, begun = 0, next_at = ${next},
      leased_until = null, ended_at = ${ended}, problem = ${problem ?? null}
    where id = ${id} and status = 'waiting' and (attempts = ${attempts} or ${status} <> 'waiting')`.execute(db)
}

/**
 * Ends the lease of a mail that was not sent because this server could not reach its database. It counts as no attempt.
 */
export async function attemptPostpone(db: Database, id: string, until: Date): Promise<void> {
  await sql`update mails set begun = 0, next_at = ${until}, leased_until = null
    where id = ${id} and status = 'waiting'`.execute(db)
}

interface Filter {
  status?: string | undefined
  subject?: string | undefined
  limit: number
}

/** The newest first. */
export async function mailList(db: Database, { status, subject, limit }: Filter): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails where true
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${subject === undefined ? sql`` : sql`and subject = ${subject}`}
    order by number desc limit ${limit}`.execute(db)
  return rows
}

export async function mailFind(db: Database, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`select ${columns} from mails where id = ${id}`.execute(db)
  return rows[0]
}

/** The newest first: mails about one booking, and mails that it shares with other bookings of its series. */
export async function mailsAbout(
  db: Database,
  { id, series }: { id: string; series: string | null },
  limit: number,
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails
    where subject = any (array(select 'booking ' || id from bookings where id = ${id} or series = ${series}))
      and (subject = 'booking ' || ${id}::text or exists (
        select from json_array_elements(case json_typeof(snapshot -> 'others') when 'array' then snapshot -> 'others' else '[]' end) one
        where one ->> 'id' = ${id}))
    order by number desc limit ${limit}`.execute(db)
  return rows
}

/** Mails that the server gave up, and that no staff member has dismissed. */
export const isOpenGivenUp = sql`status = 'given_up' and dismissed_at is null and snapshot is not null`

/** The newest first. */
export async function mailsGivenUp(db: Database, limit: number): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails where ${isOpenGivenUp} order by number desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the subject of the mail; undefined when there is nothing to dismiss. */
export async function mailDismiss(tx: Database, id: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ subject: string }>`
    update mails set dismissed_at = ${now} where id = ${id} and ${isOpenGivenUp} returning subject`.execute(tx)
  return rows[0]?.subject
}

/** Queues an ended mail again, under the same id. Not possible once its data was erased. */
export async function mailReplay(db: Database, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update mails set status = 'waiting', attempts = 0, begun = 0, next_at = ${now}, ended_at = null, problem = null,
      dismissed_at = null
    where id = ${id} and status <> 'waiting' and snapshot is not null returning pg_notify('mails', '')`.execute(db)
  return rows.length > 0
}

/** Erases the personal data in mails about these subjects, and drops those that wait. */
export const mailsErase = (tx: Database, subjects: readonly string[], now: Date): Promise<void> =>
  erase(tx, sql`subject = any(${subjects}::text[])`, now)

/** The same for all mails to this buyer, about any subject. */
export const mailsOfRecipientErase = (tx: Database, email: string, now: Date): Promise<void> =>
  erase(tx, sql`audience = 'buyer' and lower(recipient) = lower(${email})`, now)

async function erase(tx: Database, which: RawBuilder<unknown>, now: Date): Promise<void> {
  await sql`
    update mails set recipient = '', phone = null, snapshot = null, problem = null, leased_until = null,
      status = case status when 'waiting' then 'dropped' else status end, ended_at = coalesce(ended_at, ${now})
    where ${which}`.execute(tx)
}

const KEPT_DAYS = 30

/** Deletes mails after a month, unless they still wait. */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const forget = sql`
    delete from mails where id in (
      select id from mails where created_at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day' and status <> 'waiting'
      order by created_at limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}

import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { dueAfterCrash, isFree } from '../jobs/row-lease.ts'
import type { Channel } from './build-queued-mails.ts'

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
  /**
   * How many times a process has started to send the mail since the last finished attempt. During an attempt, the
   * number includes the present start.
   */
  begun: number
  next_at: Date
  created_at: Date
  ended_at: Date | null
  problem: string | null
  traceparent: string | null
  /** How often the staff sent the mail again. */
  resent: number
}

/** Returns the email address or the phone number of a mail. Empty if the mail has none, or if it is erased. */
export const addressOf = ({ channel, recipient, phone }: Pick<MailRow, 'channel' | 'recipient' | 'phone'>): string =>
  channel === 'text' ? (phone ?? '') : recipient

const columns = sql`id, channel, kind, subject, audience, recipient, phone, locale, snapshot, status, attempts, begun,
  next_at, created_at, ended_at, problem, traceparent, resent`

/**
 * SQL for the end time of a new lease (the exclusive right to send a mail). The lease lasts longer than a failover of
 * the database, because a mail that arrives twice is worse than a delay of seconds.
 */
const LEASED = sql<Date>`now() + interval '15 seconds'`

/**
 * Leases at most `most` due mails of a channel to this process. A queue contains the mails about one subject to one
 * recipient, and only its first mail can be leased. The query looks at twice the number of mails, because another
 * server can be leasing some of them.
 */
export async function mailsLease(db: Database, channel: Channel, most: number, now: Date): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    with due as (
      select id from mails m where first and channel = ${channel} and ${isDue(channel, now)} and ${isFree('m')}
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

/**
 * SQL condition for mails that are due. A waiting text message is also due if a later one about the same subject is due,
 * because the server then drops it, and sends the later one.
 */
const isDue = (channel: Channel, now: Date) =>
  channel === 'text'
    ? sql`(next_at <= ${now} or exists (
        select from mails later where later.subject = m.subject and later.recipient = m.recipient
          and later.channel = m.channel and later.status = 'waiting' and later.number > m.number
          and later.next_at <= ${now}))`
    : sql`next_at <= ${now}`

/**
 * Stores the result of an attempt to send a mail. Ignores the result if the mail is already sent or given up. If the
 * server stores the same failure twice, the failure still counts once. With `mailId`, queues a mail with the same content
 * in the same statement.
 */
export async function attemptEnd(
  db: Database,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  {
    status,
    next,
    problem,
    isDismissed,
    segments,
    mailId,
  }: {
    status: MailRow['status']
    next: Date
    problem: string | undefined
    isDismissed?: boolean
    segments?: number | undefined
    /** The id of the mail that the server queues instead of this text message. */
    mailId?: string | undefined
  },
  now: Date,
): Promise<void> {
  const ended = status === 'waiting' ? null : now
  const end = sql`update mails set status = ${status}, attempts = attempts + 1, begun = 0, next_at = ${next},
      leased_until = null, ended_at = ${ended}, problem = ${problem ?? null},
      dismissed_at = ${isDismissed ? ended : null}, segments = ${segments ?? null}
    where id = ${id} and status = 'waiting' and (attempts = ${attempts} or ${status} <> 'waiting')`
  if (mailId === undefined) await end.execute(db)
  else
    await sql`
      with ended as (${end} returning *)
      insert into mails
        (id, channel, kind, subject, audience, recipient, phone, locale, snapshot, status, next_at, created_at, traceparent)
      select ${mailId}, 'mail', kind, subject, audience, recipient, phone, locale, snapshot, 'waiting', ${now}, ${now},
        traceparent
      from ended where snapshot is not null`.execute(db)
}

/**
 * Ends the lease of a mail until a later time, for example after the server could not reach its own database. This does
 * not count as an attempt to send the mail.
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

/** Lists the mails that match the filter, the newest first. */
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

/**
 * Lists the mails about one booking, the newest first. If the booking belongs to a series of bookings, the list
 * includes the mails about the series.
 */
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

/**
 * SQL condition for mails that the server gave up after too many failures. The condition excludes mails that a staff
 * member has dismissed from the list of problems.
 */
export const isOpenGivenUp = sql`status = 'given_up' and dismissed_at is null and snapshot is not null`

/**
 * Lists the mails that the server gave up after too many failures, the newest first. The list excludes mails that a
 * staff member has dismissed.
 */
export async function mailsGivenUp(db: Database, limit: number): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select ${columns} from mails where ${isOpenGivenUp} order by number desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Dismisses a failed mail, so the staff no longer see it as a problem. Returns the subject of the mail, such as a
 * booking. Returns undefined if no open failure has this id.
 */
export async function mailDismiss(tx: Database, id: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ subject: string }>`
    update mails set dismissed_at = ${now} where id = ${id} and ${isOpenGivenUp} returning subject`.execute(tx)
  return rows[0]?.subject
}

/**
 * Puts a finished mail (sent, given up or withheld) back into the queue under the same id. Returns false if the mail is
 * still waiting, or if the server has erased its data.
 */
export async function mailReplay(db: Database, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update mails set status = 'waiting', attempts = 0, begun = 0, next_at = ${now}, ended_at = null, problem = null,
      dismissed_at = null, resent = least(resent + 1, 32767)
    where id = ${id} and status <> 'waiting' and snapshot is not null returning pg_notify('mails', '')`.execute(db)
  return rows.length > 0
}

/** Lists the mails to the buyer about the last move of a booking by the staff, one for each channel. */
export async function moveMails(db: Database, subject: string): Promise<MailRow[]> {
  const isAboutMove = sql`subject = ${subject} and audience = 'buyer' and kind = 'booking.moved_by_business'
    and snapshot is not null`
  const { rows } = await sql<MailRow>`
    select ${columns} from mails where ${isAboutMove} and snapshot ->> 'revision' = (
      select snapshot ->> 'revision' from mails where ${isAboutMove} order by number desc limit 1)
    order by number`.execute(db)
  return rows
}

/**
 * Withholds the given mails, except for those that a worker has begun to send. Returns true if it withheld at least one
 * mail.
 */
export async function mailsWithhold(tx: Database, ids: readonly string[], now: Date): Promise<boolean> {
  const { rows } = await sql`
    update mails set status = 'dropped', ended_at = ${now}, leased_until = null
    where id = any(${ids}::text[]) and status = 'waiting' and begun = 0 and attempts = 0 returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Erases the personal data in all mails about the given subjects, such as bookings. The server then never sends those
 * mails that are still waiting.
 */
export const mailsErase = (tx: Database, subjects: readonly string[], now: Date): Promise<void> =>
  erase(tx, sql`subject = any(${subjects}::text[])`, now)

/** Erases the personal data in all mails to a buyer. The server then never sends those mails that are still waiting. */
export const mailsOfRecipientErase = (tx: Database, email: string, now: Date): Promise<void> =>
  erase(tx, sql`audience = 'buyer' and lower(recipient) = lower(${email})`, now)

async function erase(tx: Database, which: RawBuilder<unknown>, now: Date): Promise<void> {
  await sql`
    update mails set recipient = '', phone = null, snapshot = null, problem = null, leased_until = null,
      status = case status when 'waiting' then 'dropped' else status end, ended_at = coalesce(ended_at, ${now})
    where ${which}`.execute(tx)
}

const KEPT_DAYS = 30

/** Deletes mails that are older than 30 days, except waiting mails. */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const forget = sql`
    delete from mails where id in (
      select id from mails where created_at < ${now}::timestamptz - ${KEPT_DAYS} * interval '1 day' and status <> 'waiting'
      order by created_at limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}

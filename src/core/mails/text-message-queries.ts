import { sql } from 'kysely'
import { type Database, onlyRow, type Tx } from '../../infra/db/database.ts'
import type { MailRow } from './queries.ts'
import { TEST_TEXT } from './test-mail-queries.ts'

/** Whether a later text message about the same booking waits for the same recipient. Only the last one is of use. */
export async function isReplacedByLaterText(db: Database, { id, subject, recipient }: MailRow): Promise<boolean> {
  const { rows } = await sql`
    select from mails
    where subject = ${subject} and recipient = ${recipient} and channel = 'text' and status = 'waiting'
      and number > (select number from mails where id = ${id})
    limit 1`.execute(db)
  return rows.length > 0
}

/** The reminder of a visit that a phone number got as a text message. */
export interface SentReminder {
  bookingId: string
  /** The start of the visit as the reminder names it. */
  startsAt: Date
}

/** A message that was given up counts too, because the provider may have sent it. */
const mayHaveArrived = sql`channel = 'text' and audience = 'buyer' and status in ('sent', 'given_up') and snapshot is not null`

/** The maximum number of reminders among which the server looks for the visit that an answer confirms. */
const MAX_REMINDERS = 20

/** Lists the reminders that a phone number got, the latest first. */
export async function remindersTo(db: Database, phone: string): Promise<SentReminder[]> {
  const { rows } = await sql<SentReminder>`
    select split_part(subject, ' ', 2) as "bookingId", (snapshot ->> 'starts_at')::timestamptz as "startsAt"
    from mails where phone = ${phone} and kind = 'booking.reminder' and ${mayHaveArrived}
    order by number desc limit ${MAX_REMINDERS}`.execute(db)
  return rows
}

/** What a text message was about. */
type SentText = Pick<MailRow, 'subject' | 'locale'> & { snapshot: object }

/** Returns the latest message to a phone number about a booking or a waitlist entry. */
export async function lastTextTo(db: Database, phone: string): Promise<SentText | undefined> {
  const { rows } = await sql<SentText>`
    select subject, snapshot, locale from mails
    where phone = ${phone} and kind <> ${TEST_TEXT} and ${mayHaveArrived}
    order by number desc limit 1`.execute(db)
  return rows[0]
}

/** Whether the server queued a message of this kind to a phone number since an instant. */
export async function isAnsweredSince(db: Database, phone: string, kind: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from mails where channel = 'text' and phone = ${phone} and kind = ${kind} and created_at > ${since}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Lets only one transaction at a time act on a message from this phone number, until the transaction ends. */
export async function replyLock(tx: Tx, phone: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`text reply ${phone}`}, 0))`.execute(tx)
}

/** Counts the text messages sent since an instant: all of them, and those to one phone number. */
export async function sentTextCounts(
  db: Database,
  since: Date,
  phone: string,
): Promise<{ all: number; toNumber: number }> {
  const { rows } = await sql<{ all: number; toNumber: number }>`
    select count(*)::integer as "all", (count(*) filter (where phone = ${phone}))::integer as "toNumber"
    from mails where channel = 'text' and status = 'sent' and created_at > ${since}`.execute(db)
  return onlyRow({ rows })
}

/** Counts the text messages of the last 30 days and their segments. The server stores mails for 30 days. */
export async function sentTextTotals(db: Database, now: Date): Promise<{ messages: number; segments: number }> {
  const { rows } = await sql<{ messages: number; segments: number }>`
    select count(*)::integer as messages, coalesce(sum(segments), 0)::integer as segments
    from mails
    where channel = 'text' and status = 'sent' and created_at > ${now}::timestamptz - interval '30 days'`.execute(db)
  return onlyRow({ rows })
}

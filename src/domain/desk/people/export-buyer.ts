import { type RawBuilder, sql } from 'kysely'
import { linksOf } from '../../../core/tokens/linked-platforms.ts'
import type { Database } from '../../../infra/db/database.ts'
import { dataOfEmail, dataOfNumber, type PersonalData } from './collect-personal-data.ts'

export type DataSubject = { email: string } | { phone_number: string }

/**
 * Exports all stored data of a person that an erasure would remove. Only stored replies (answers that the server keeps
 * for retries) are left out.
 */
export async function exportBuyer(db: Database, subject: DataSubject, now: Date): Promise<Record<string, unknown>> {
  const personalData =
    'email' in subject ? await dataOfEmail(db, subject.email) : await dataOfNumber(db, subject.phone_number)
  return {
    ...subject,
    exported_at: now,
    bookings: await rows(db, bookingsOwn(personalData)),
    payments: await rows(db, paymentsOwn(personalData)),
    checkouts: await rows(db, checkoutsOwn(personalData)),
    waitlist_entries: await rows(db, entriesOwn(personalData)),
    journal: await rows(db, journalOwn(personalData)),
    events: await rows(db, eventsOwn(personalData)),
    mails: await rows(db, mailsOwn(personalData)),
    customer_records: await rows(db, customersOwn(personalData)),
    accounts: await accountsOwn(db, personalData, now),
  }
}

const rows = async (db: Database, query: RawBuilder<unknown>) => (await query.execute(db)).rows

/**
 * Reads the bookings of the person. The digests of former email addresses are left out, because these addresses may
 * belong to other people.
 */
const bookingsOwn = ({ bookings }: PersonalData) => sql`
  select id, status, service_id, session_id, resource_ids, starts_at, ends_at, people::jsonb - 'earlier' as people, record,
    principal as booked_by, profile as booked_through, created_at, updated_at
  from bookings where id = any (${bookings}::text[]) order by starts_at, id`

const paymentsOwn = ({ bookings }: PersonalData) => sql`
  select booking_id, amount, tip, returned, currency, purpose, kind, source, provider, reference, received_at
  from payments where booking_id = any (${bookings}::text[]) order by number`

const checkoutsOwn = ({ checkouts }: PersonalData) => sql`
  select id, booking_id, status, service_id, people, agreed, principal as created_by, profile as created_through, created_at,
    updated_at, expires_at from ucp_checkouts where id = any (${checkouts}::text[]) order by created_at, id`

const entriesOwn = ({ entries }: PersonalData) => sql`
  select id, status, service_id, slot_id, buyer, preferred, ends_at, offered_from, offered_to, created_at, updated_at, booking_id, locale,
    principal as joined_by from waitlist_entries where id = any (${entries}::text[]) order by number`

const journalOwn = ({ subjects }: PersonalData) => sql`
  select at, subject, actor, action, from_status, to_status, detail
  from changes where subject = any (${subjects}::text[]) order by number`

const eventsOwn = ({ subjects, isNamedIn }: PersonalData) => sql`
  select id, at, type, subject, coalesce(body, snapshot) as told
  from events e where subject = any (${subjects}::text[]) and ${isNamedIn(sql`coalesce(body, snapshot)`)} order by number`

const mailsOwn = ({ subjects, isNamedIn, isTo }: PersonalData) => sql`
  select id, created_at, kind, audience, recipient, phone, channel, status, snapshot as said_of
  from mails m where (subject = any (${subjects}::text[]) and ${isNamedIn(sql`snapshot`)})
    or (audience = 'buyer' and ${isTo}) order by number`

const customersOwn = ({ isRecord }: PersonalData) => sql`
  select c.id, c.tags, c.note, c.created_at,
    array(select contact from customer_contacts where customer_id = c.id order by contact) as contacts
  from customers c where ${isRecord} order by id`

/** Reads the buyer accounts of the person. The result contains no secrets such as passwords. */
async function accountsOwn(db: Database, { email }: PersonalData, now: Date) {
  if (email === undefined) return []
  const accounts = await db
    .selectFrom('buyer_accounts')
    .select(['id', 'created_at', 'verified_at', sql<boolean>`password is not null`.as('has_password')])
    .where('email', '=', email)
    .execute()
  const linked = async (account: { id: string }) => ({ ...account, may_act: await linksOf(db, account.id, now) })
  return Promise.all(accounts.map(linked))
}

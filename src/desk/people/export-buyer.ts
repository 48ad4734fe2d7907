import { type RawBuilder, sql } from 'kysely'
import { sameEmail } from '../../accounts/buyer-accounts.ts'
import type { Database } from '../../db/database.ts'
import { linksOf } from '../../tokens/linked-platforms.ts'
import { bookingsOfEmail, bookingsOnceOfEmail } from '../shared/queries.ts'
import { entriesOfEmail } from '../waitlist/entry-queries.ts'

/** What is kept of whoever has this address, as data: all that erasing them finds, but for the answers that are kept for retries. */
export async function exportBuyer(db: Database, email: string, now: Date): Promise<Record<string, unknown>> {
  const [bookings, entries] = [await bookingsOfEmail(db, email), await entriesOfEmail(db, email)]
  const subjects = [
    ...[...bookings, ...(await bookingsOnceOfEmail(db, email))].map((id) => `booking ${id}`),
    ...entries.map((id) => `entry ${id}`),
  ]
  const own = { bookings, entries, subjects, email: sameEmail(email) }
  return {
    email,
    exported_at: now,
    bookings: await rows(db, bookingsOwn(own)),
    payments: await rows(db, paymentsOwn(own)),
    waitlist_entries: await rows(db, entriesOwn(own)),
    journal: await rows(db, journalOwn(own)),
    events: await rows(db, eventsOwn(own)),
    mails: await rows(db, mailsOwn(own)),
    customer_records: await rows(db, customersOwn(own)),
    accounts: await accountsOwn(db, own, now),
  }
}

interface Own {
  bookings: string[]
  entries: string[]
  subjects: string[]
  email: string
}

const rows = async (db: Database, query: RawBuilder<unknown>) => (await query.execute(db)).rows

/** Of who stood there before only a digest is kept, which is nobody else's to see. */
const bookingsOwn = ({ bookings }: Own) => sql`
  select id, status, service_id, session_id, resource_ids, starts_at, ends_at, people::jsonb - 'earlier' as people, record,
    principal as booked_by, profile as booked_through, created_at, updated_at
  from bookings where id = any (${bookings}::text[]) order by starts_at, id`

const paymentsOwn = ({ bookings }: Own) => sql`
  select booking_id, amount, tip, returned, currency, purpose, kind, source, provider, reference, received_at
  from payments where booking_id = any (${bookings}::text[]) order by number`

const entriesOwn = ({ entries }: Own) => sql`
  select id, status, service_id, slot_id, buyer, preferred, ends_at, offered_from, offered_to, created_at, updated_at, booking_id, locale,
    principal as joined_by from waitlist_entries where id = any (${entries}::text[]) order by number`

const journalOwn = ({ subjects }: Own) => sql`
  select at, subject, actor, action, from_status, to_status, detail
  from changes where subject = any (${subjects}::text[]) order by number`

/**
 * What was told of a booking names whoever it was of by then: only what has this address is about them, and not what has one that it
 * is part of.
 */
const names = (told: RawBuilder<unknown>, email: string) =>
  sql<boolean>`strpos(lower(${told}::text), to_json(${email}::text)::text) > 0`

const eventsOwn = ({ subjects, email }: Own) => sql`
  select id, at, type, subject, coalesce(body, snapshot) as told
  from events e where subject = any (${subjects}::text[]) and ${names(sql`coalesce(body, snapshot)`, email)} order by number`

const mailsOwn = ({ subjects, email }: Own) => sql`
  select id, created_at, kind, audience, recipient, phone, channel, status, snapshot as said_of
  from mails m where (subject = any (${subjects}::text[]) and ${names(sql`snapshot`, email)})
    or (audience = 'buyer' and lower(recipient) = ${email}) order by number`

const customersOwn = ({ email }: Own) => sql`
  select c.id, c.tags, c.note, c.created_at,
    array(select contact from customer_contacts where customer_id = c.id order by contact) as contacts
  from customers c where id in (select customer_id from customer_contacts where contact = ${email}) order by id`

/** Without what opens them. */
async function accountsOwn(db: Database, { email }: Own, now: Date) {
  const accounts = await db
    .selectFrom('buyer_accounts')
    .select(['id', 'created_at', 'verified_at', sql<boolean>`password is not null`.as('has_password')])
    .where('email', '=', email)
    .execute()
  const linked = async (account: { id: string }) => ({ ...account, may_act: await linksOf(db, account.id, now) })
  return Promise.all(accounts.map(linked))
}

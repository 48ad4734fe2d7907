import { type RawBuilder, sql } from 'kysely'
import { isGivenUpNotDismissed as isDeliveryLeft } from '../../../core/events/deliveries/delivery-queries.ts'
import { isOpenGivenUp as isMailLeft } from '../../../core/mails/queries.ts'
import { type Database, onlyRow } from '../../../infra/db/database.ts'
import type { GetBusinessInbox } from '../../../protocol/types.generated.ts'
import { hasClaim } from '../../bookings/booking-amounts-owed.ts'
import { isUnexpired } from '../../bookings/booking-row.ts'
import { openConflicts } from '../../busy-times/conflict-queries.ts'
import { eventQuestionsKey } from '../../busy-times/event-questions.ts'
import { isUnreturned } from '../../ucp-checkouts/charge-queries.ts'
import { affectedIds } from '../bookings/affected-booking-list-queries.ts'
import { INBOX_MOST, LAPSING_SECONDS } from '../shared/desk-list-limits.ts'

type Inbox = GetBusinessInbox['output']['inbox']

/**
 * Counts the open items in the inbox of the staff with one SQL statement. The count of each kind of item stops at
 * `INBOX_MOST`.
 */
export async function inboxCount(db: Database, now: Date): Promise<Inbox> {
  const isOpen = isUnexpired(now)
  const counts = onlyRow(
    await sql<Omit<Inbox, 'total'>>`select
      ${most(sql`bookings where status = 'pending' and ${isOpen}`)} as requests,
      ${most(sql`bookings where status = 'requires_action' and ${isOpen} and ${hasClaim}`)} as payments_claimed,
      ${most(sql`(${affectedIds(now)}) as affected`)} as stranded,
      ${most(lapsingAt(now))} as offers_lapsing,
      ${most(sql`mails where ${isMailLeft}`)} as mails_given_up,
      ${most(sql`deliveries d where ${isDeliveryLeft}`)} as deliveries_given_up,
      ${most(sql`ucp_charges where ${isUnreturned}`)} as charges_unreturned`.execute(db),
  )
  return { total: Object.values(counts).reduce((sum, one) => sum + one, 0), ...counts }
}

/** SQL that reads the waitlist offers that end within `LAPSING_SECONDS`. */
export function lapsingAt(now: Date): RawBuilder<unknown> {
  const soon = new Date(now.getTime() + LAPSING_SECONDS * 1000)
  return sql`waitlist_entries where status = 'offered' and over_at > ${now} and over_at <= ${soon}`
}

/**
 * An SQL expression for a text that changes when another waitlist offer is about to end. The text contains the number
 * of such offers and their latest deadline.
 */
export const lapsingOffersKey = (now: Date) =>
  sql<string>`(select concat(count(*), ' ', max(over_at)) from ${lapsingAt(now)})`

/**
 * An SQL expression for a text that changes when a busy time of another calendar conflicts with another booking, or no
 * longer. It also changes when the event of a booking is deleted or put back there.
 */
export const conflictsKey = sql<string>`concat((select concat(count(*), ' ', sum(c.id)) from ${openConflicts}), ' ', ${eventQuestionsKey})`

const most = (source: RawBuilder<unknown>) =>
  sql`(select count(*)::integer from (select from ${source} limit ${INBOX_MOST}) as found)`

/**
 * An SQL expression for a text that changes when another mail or event delivery fails. The text contains the times of
 * the latest failures in the inbox.
 */
export const lastFailureKey = sql<string>`concat(
  (select max(ended_at) from mails where ${isMailLeft}), ' ', (select max(d.ended_at) from deliveries d where ${isDeliveryLeft}))`

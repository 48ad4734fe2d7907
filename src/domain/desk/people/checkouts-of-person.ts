import { sql } from 'kysely'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { errorMessage } from '../../ucp-checkouts/error-messages.ts'
import { checkoutLock, checkoutUpdate } from '../../ucp-checkouts/queries.ts'
import { eraseFromMessages } from './erase-personal-data.ts'
import { isPersonWithOnlyNumber } from './people-by-phone-number.ts'

/**
 * Finds the UCP checkouts (purchases through the Universal Commerce Protocol) with this email address. Completed
 * checkouts are not in the result, because their personal data are in the bookings.
 */
export async function checkoutsOfEmail(db: Database, email: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ucp_checkouts
    where lower(${email}) in (lower(people #>> '{buyer,email}'), lower(people #>> '{recipient,email}'))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function checkoutsOfNumber(db: Database, number: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ucp_checkouts
    where people is not null and (${isPersonWithOnlyNumber(sql`people::jsonb -> 'buyer'`, number)}
      or ${isPersonWithOnlyNumber(sql`people::jsonb -> 'recipient'`, number)})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Erases the personal data of these UCP checkouts and of their stored replies. Afterwards, the platform must send a
 * buyer again before it can complete the checkout. If the payment provider takes money at the same time, the server
 * returns the money.
 */
export async function eraseCheckouts(tx: UnitOfWork, ids: readonly string[], actor: string, now: Date): Promise<void> {
  const subjects: string[] = []
  for (const id of ids) {
    const row = await checkoutLock(tx, id)
    // If the platform completed the checkout before this lock, only the booking contains the personal data. The erasure
    // of the booking deletes them.
    if (!row?.people) continue
    const faults = [errorMessage('missing', 'The people were erased. Update the checkout with a buyer.', '$.buyer')]
    await checkoutUpdate(tx, { ...row, people: null, faults, updated_at: now })
    const change = { from: row.status, to: row.status }
    insertAuditEntry(tx, { actor, action: 'erase', subject: `checkout ${id}`, ...change }, now)
    subjects.push(`booking ${row.booking_id}`)
  }
  await eraseFromMessages(tx, subjects, now)
}

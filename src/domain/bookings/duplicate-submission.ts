import { sql } from 'kysely'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Caller } from '../../protocol/caller.ts'
import { isUnexpired } from './booking-as-of.ts'

interface Sent {
  input: { slot_id: string; hold_id?: string }
  caller: Caller
  db: UnitOfWork
  now: Date
}

/**
 * The booking from a duplicate submission without a hold, if it is still active and was not moved. A parallel duplicate
 * waits for the first transaction.
 */
export async function findDuplicateSubmission({
  input: { slot_id, hold_id },
  caller: { principal, sentForm },
  db,
  now,
}: Sent): Promise<string | undefined> {
  if (hold_id !== undefined || sentForm === undefined) return undefined
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sent ${principal} ${sentForm}`}, 0))`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id from bookings
    where principal = ${principal} and status <> 'canceled' and ${isUnexpired(now)}
      and record ->> 'sent_form' = ${sentForm} and record ->> 'slot_id' = ${slot_id}
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.id
}

import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

/**
 * Checks the offers to buyers on the waitlist. Each open offer must reserve a time or a seat. Each time or seat that is
 * reserved for an offer must belong to an open offer.
 */
export async function verifyOffers(db: Database, findings: Findings, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string; is_kept: boolean }>`
    with due as (select id from waitlist_entries where status = 'offered' and offer_expires_at > ${now}), kept as (
      select holder_id as id from claims where holder_kind = 'offer' and expires_at > ${now}
      union select holder_id from seats where holder_kind = 'offer' and expires_at > ${now}
    )
    select coalesce(due.id, kept.id) as id, kept.id is not null as is_kept
    from due full join kept on kept.id = due.id
    where due.id is null or kept.id is null
    order by 1`.execute(db)
  for (const { id, is_kept } of rows)
    addFinding(
      findings,
      is_kept
        ? `entry ${id} reserves capacity without an offer.`
        : `entry ${id} has an offer without reserved capacity.`,
    )
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from waitlist_entries where status = 'offered'`.execute(db)
  return onlyRow(counted).count
}

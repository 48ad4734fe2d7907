import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

interface Difference {
  id: string
  booking: string
  entered: string | null
  listed: string | null
  refunds: string
}

/**
 * Compares each row of the table `payments` with the payment list of its booking, and each returned amount with the
 * refunds. The payment list does not contain tips, corrected payments, payments with nothing due, and fees of free
 * bookings.
 */
export async function verifyPayments(db: Database, findings: Findings): Promise<number> {
  const { rows } = await sql<Difference>`
    with listed as (
      select b.id as booking, one ->> 'id' as id, concat(one ->> 'amount', ', ', one ->> 'returned', ' to refund') as sums
      from bookings b, json_array_elements(b.record -> 'payment' -> 'received') one
    ), entered as (
      select p.id, p.booking_id, p.returned, concat(p.amount, ', ', p.returned, ' to refund') as sums,
        purpose in ('nothing_due', 'tip') or purpose = 'no_show_fee' and b.record -> 'payment' is null
          or reverses is not null or exists (select from payments r where r.reverses = p.id) as alone,
        (select coalesce(sum(amount), 0) from refunds where payment_id = p.id) as refunds
      from payments p join bookings b on b.id = p.booking_id
    )
    select coalesce(entered.id, listed.id) as id, coalesce(listed.booking, entered.booking_id) as booking,
      entered.sums as entered, listed.sums as listed, coalesce(entered.refunds, 0)::text as refunds
    from entered full join listed on listed.id = entered.id and listed.booking = entered.booking_id
    where entered.id is null or entered.returned <> entered.refunds or
      case when listed.id is null then not alone else alone or listed.sums <> entered.sums end
    order by 2, 1`.execute(db)
  for (const row of rows) addFinding(findings, describe(row))
  const counted = await sql<{ count: number }>`select count(*)::integer as count from payments`.execute(db)
  return onlyRow(counted).count
}

function describe({ id, booking, entered, listed, refunds }: Difference): string {
  if (entered === listed) return `payment ${id} is ${entered}, but its refunds are ${refunds}.`
  return `payment ${id} is ${entered ?? 'nothing'}, but booking ${booking} says ${listed ?? 'nothing'}.`
}

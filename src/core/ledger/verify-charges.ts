import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

interface Faulty {
  order_id: string
  fault: string
}

/**
 * Checks that each charge (a payment through the Universal Commerce Protocol) has its booking, and that each paid
 * booking has its charge. Each booking of a UCP checkout needs a completed checkout, even if nothing is due. A charge
 * ends within minutes, so a charge that is open for more than an hour is also a fault.
 */
export async function verifyCharges(db: Database, findings: Findings, now: Date): Promise<number> {
  const { rows } = await sql<Faulty>`
    with booked as (
      select c.order_id, c.checkout_id, c.amount, c.currency, c.provider, c.reference, b.id as booking, p.id as payment
      from ucp_charges c
      left join bookings b on b.id = c.booking_id and b.record -> 'order' ->> 'id' = c.order_id
      left join payments p on p.booking_id = b.id and p.source = 'provider' and p.provider = c.provider
        and p.reference = c.reference and p.order_reference = c.order_id and p.currency = c.currency
        and p.amount - (select coalesce(sum(r.amount), 0) from refunds r
          where r.payment_id = p.id and r.reason = 'not due') = c.amount
      where c.status = 'booked'
    )
    select order_id, 'is charged, but has no booking' as fault from booked where booking is null
    union all
    select order_id, 'is charged, but its booking has no such payment' from booked
      where booking is not null and payment is null
    union all
    select b.order_id, 'is charged, but its checkout is ' || k.status
      from booked b join ucp_checkouts k on k.id = b.checkout_id where k.status <> 'completed'
    union all
    select b.record -> 'order' ->> 'id', 'has a booking, but ' || coalesce('its checkout is ' || k.status, 'no checkout')
      from bookings b left join ucp_checkouts k on k.id = b.record -> 'order' ->> 'checkout'
      where b.record -> 'order' is not null and k.status is distinct from 'completed'
        and not exists (select from booked where booked.booking = b.id)
    union all
    select k.order_id, 'is completed, but has no booking'
      from ucp_checkouts k left join bookings b on b.id = k.booking_id where k.status = 'completed' and b.id is null
    union all
    select k.order_id, 'is completed with a price that is due at once, but has no charge'
      from ucp_checkouts k where k.status = 'completed' and coalesce((k.agreed -> 'payment' ->> 'due')::bigint, 0) > 0
        and not exists (select from ucp_charges c where c.checkout_id = k.id and c.status = 'booked'
          and c.amount = (k.agreed -> 'payment' ->> 'due')::bigint)
    union all
    select k.order_id, 'waits for a charge, but has none' from ucp_checkouts k
      where k.status in ('completing', 'escalated') and not exists (select from ucp_charges c
        where c.checkout_id = k.id and c.status in ('intended', 'requires_action', 'reversing'))
    union all
    select c.order_id, 'has a charge that failed, but a payment came in'
      from ucp_charges c join payments p on p.provider = c.provider and p.reference = c.reference
      where c.status in ('failed', 'reversing', 'reversed', 'unreturned')
    union all
    select order_id, 'has a charge without a booking that the provider refuses to return'
      from ucp_charges where status = 'unreturned'
    union all
    select order_id, 'has a charge that is open for more than an hour'
      from ucp_charges where status in ('intended', 'requires_action', 'reversing')
        and created_at < ${now}::timestamptz - interval '1 hour'
    order by 1, 2`.execute(db)
  for (const { order_id, fault } of rows) addFinding(findings, `order ${order_id} ${fault}.`)
  const counted = await sql<{ count: number }>`select count(*)::integer as count from ucp_charges`.execute(db)
  return onlyRow(counted).count
}

import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { STAFF_PREFIX } from '../../../protocol/caller-types.ts'
import { COUNTER_KINDS } from '../../payments/queries.ts'

/**
 * The kinds of payments in the takings report: the kinds at the counter, `online` (on a page of the business),
 * `platform`, and `unsaid` (unknown).
 */
export const TAKINGS_KINDS = [...COUNTER_KINDS, 'online', 'platform', 'unsaid'] as const

export interface TakingsRow {
  /** The number of the day in the takings report, starting with 1. */
  day: number
  kind: (typeof TAKINGS_KINDS)[number]
  /** The principal (stored name) of the staff member who received the payment. Null if no staff member received it. */
  taken_by: string | null
  name: string | null
  currency: string
  payments: number
  amount: number
  tips: number
  refunded: number
}

/**
 * Sums the payments and refunds of each period. A period lies between two neighboring instants of `bounds`. A refund
 * counts at the time of its decision, under the staff member and the kind of its payment. A reversal counts at the time
 * of the correction, and lowers the number of payments by one.
 */
export async function takingsBetween(db: Database, bounds: readonly Date[], most: number): Promise<TakingsRow[]> {
  const [from, to] = [bounds[0], bounds.at(-1)]
  const { rows } = await sql<TakingsRow>`
    with moved as (
      select id as payment_id, received_at as at, case when reverses is null then 1 else -1 end as payments, amount, tip,
        0 as refunded from payments
      where received_at >= ${from} and received_at < ${to}
      union all
      select payment_id, created_at, 0, 0, 0, amount from refunds where created_at >= ${from} and created_at < ${to}
    )
    select width_bucket(moved.at, ${[...bounds]}::timestamptz[]) as day,
      case p.source when 'provider' then 'online' when 'platform' then 'platform' else coalesce(p.kind, 'unsaid') end as kind,
      case p.source when 'staff' then p.reported_by end as taken_by, max(s.name) as name, p.currency,
      sum(moved.payments)::integer as payments, sum(moved.amount)::float8 as amount, sum(moved.tip)::float8 as tips,
      sum(moved.refunded)::float8 as refunded
    from moved join payments p on p.id = moved.payment_id
    left join staff s on p.source = 'staff' and p.reported_by = ${STAFF_PREFIX}::text || s.id
    group by 1, 2, 3, 5 order by 1, 5, 2, 3
    limit ${most}`.execute(db)
  return rows
}

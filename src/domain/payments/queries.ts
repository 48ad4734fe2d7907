import { sql } from 'kysely'
import { dueAfterCrash, isFree, LEASED } from '../../core/jobs/row-lease.ts'
import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'

export interface CheckoutRow {
  id: string
  booking_id: string
  provider: string
  reference: string | null
  amount: number
  currency: string
  expires_at: Date
}

const checkoutColumns = sql`c.id, c.booking_id, c.provider, c.reference, c.amount::float8, c.currency, c.expires_at`

/**
 * Finds an open checkout (a payment page) of a booking for the same amount. The checkout may have no page yet, because
 * another request can still be opening it.
 */
export async function reusableCheckoutFind(
  db: Database,
  { booking_id, amount, currency }: Pick<CheckoutRow, 'booking_id' | 'amount' | 'currency'>,
  now: Date,
): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select ${checkoutColumns} from checkouts c
    where booking_id = ${booking_id} and amount = ${amount} and currency = ${currency}
      and status = 'open' and expires_at > ${now}
      and (reference is not null or created_at > ${now}::timestamptz - interval '1 minute')
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

export async function checkoutsOfBooking(db: Database, bookingId: string): Promise<CheckoutRow[]> {
  const { rows } = await sql<CheckoutRow>`
    select ${checkoutColumns} from checkouts c
    where booking_id = ${bookingId} and status = 'open' and reference is not null`.execute(db)
  return rows
}

export async function checkoutInsert(tx: Database, row: CheckoutRow, now: Date): Promise<void> {
  await tx
    .insertInto('checkouts')
    .values({ ...row, status: 'open', created_at: now, next_at: now })
    .execute()
}

/** Stores the provider's id of a checkout (a payment page). Returns false if the checkout is no longer open. */
export async function checkoutReferenceSet(db: Database, id: string, reference: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkouts')
    .set({ reference })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function checkoutFind(db: Database, id: string): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`select ${checkoutColumns} from checkouts c where id = ${id}`.execute(db)
  return rows[0]
}

export async function checkoutEnd(db: Database, id: string, status: 'paid' | 'closed'): Promise<void> {
  await db.updateTable('checkouts').set({ status }).where('id', '=', id).where('status', '!=', 'paid').execute()
}

export interface ClosableCheckout extends CheckoutRow {
  /**
   * Set if the booking still waits for the result of this payment page. If the server cannot close the page, it then
   * tries again after a shorter pause.
   */
  isAwaited: boolean
}

/**
 * Leases payment pages that the server must close, so that no other process closes them. Such a page has expired, its
 * booking no longer waits for the payment, or its amount is no longer due.
 */
export async function checkoutsLease(db: Database, most: number, now: Date): Promise<ClosableCheckout[]> {
  const { rows } = await sql<ClosableCheckout>`
    update checkouts c set leased_until = ${LEASED}, begun = begun + 1,
      next_at = ${dueAfterCrash(sql.ref('c.next_at'), sql.ref('c.begun'), now)}
    from bookings booking
    where booking.id = c.booking_id and c.id in (
      select c.id from checkouts c join bookings b on b.id = c.booking_id
      where c.status = 'open' and c.next_at <= ${now} and ${isFree('c')} and (
        c.expires_at <= ${now} or b.status <> 'requires_action' or b.expires_at <= ${now}
        or (b.record -> 'payment' ->> 'due')::bigint <> c.amount)
      order by c.next_at limit ${most} for update of c skip locked)
    returning ${checkoutColumns}, booking.status = 'requires_action' as "isAwaited"`.execute(db)
  return rows
}

export async function checkoutLeasesRenew(db: Database, rows: readonly CheckoutRow[]): Promise<void> {
  await sql`update checkouts set leased_until = ${LEASED}
    where id = any(${rows.map(({ id }) => id)}::text[]) and leased_until is not null`.execute(db)
}

export async function checkoutPostpone(db: Database, id: string, until: Date): Promise<void> {
  await db.updateTable('checkouts').set({ next_at: until, leased_until: null, begun: 0 }).where('id', '=', id).execute()
}

export interface PaymentRow {
  id: string
  booking_id: string
  amount: number
  currency: string
  purpose: 'price' | 'deposit' | 'difference' | 'no_show_fee' | 'nothing_due' | 'tip'
  source: 'provider' | 'platform' | 'staff'
  reported_by: string
  provider: string | null
  reference: string | null
  order_reference: string | null
  kind: CounterKind | null
  /** The tip that the buyer paid in addition to `amount`, in minor units such as cents. */
  tip: number
  /**
   * Set if this row corrects a wrongly entered payment. The value is the id of that payment, and the amounts of this
   * row are negative.
   */
  reverses: string | null
}

export const COUNTER_KINDS = ['cash', 'card', 'transfer', 'voucher'] as const
export type CounterKind = (typeof COUNTER_KINDS)[number]

/** Stores a payment. Returns false if the provider has already reported the same payment. */
export async function paymentInsert(tx: Database, row: PaymentRow, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('payments')
    .values({ ...row, received_at: now })
    .onConflict((conflict) => conflict.columns(['provider', 'reference']).where('source', '=', 'provider').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/**
 * Marks a payment as collected by the payment provider. Before, a platform or the staff had reported the same payment.
 * From now on, the provider makes all refunds of the payment, including those that are still open.
 */
export async function paymentAttributeToProvider(
  tx: Database,
  id: string,
  { provider, reference }: { provider: string; reference: string },
): Promise<void> {
  await tx.updateTable('payments').set({ source: 'provider', provider, reference }).where('id', '=', id).execute()
  const owed = tx.updateTable('refunds').set({ status: 'waiting' }).where('payment_id', '=', id)
  await owed.where('status', '=', 'elsewhere').execute()
}

export async function isPaymentReported(tx: Database, provider: string, reference: string): Promise<boolean> {
  const found = await tx
    .selectFrom('payments')
    .select('id')
    .where('source', '=', 'provider')
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Stores that the business must return a part of a payment to the buyer. If no provider collected the payment, the
 * platform or the staff must return the money.
 */
export async function refundInsert(
  tx: Database,
  { payment, amount, reason }: { payment: string; amount: number; reason: string },
  now: Date,
): Promise<void> {
  await sql`
    with paid as (update payments set returned = returned + ${amount} where id = ${payment} returning source)
    insert into refunds (id, payment_id, amount, reason, status, next_at, created_at)
    select ${newId('rfd')}, ${payment}, ${amount}, ${reason},
      case source when 'provider' then 'waiting' else 'elsewhere' end, ${now}, ${now}
    from paid`.execute(tx)
}

export interface PaymentRead extends PaymentRow {
  received_at: Date
  refunds: { amount: number; status: 'waiting' | 'given' | 'refused' | 'elsewhere'; reason: string; at: string }[]
}

export async function paymentsOf(db: Database, bookingId: string): Promise<PaymentRead[]> {
  const { rows } = await sql<PaymentRead>`
    select id, booking_id, amount::float8, currency, purpose, source, reported_by, provider, reference, order_reference,
      kind, tip::float8, reverses, received_at, coalesce((
        select json_agg(json_build_object('amount', f.amount, 'status', f.status, 'reason', f.reason, 'at', f.created_at)
          order by f.created_at, f.id)
        from refunds f where f.payment_id = p.id), '[]') as refunds
    from payments p where booking_id = ${bookingId} order by number`.execute(db)
  return rows
}

/** A refund that the business still owes to the buyer. */
export interface OwedRefund {
  booking_id: string
  provider: string
  amount: number
}

export interface DueRefund extends OwedRefund {
  id: string
  receipt: string
  currency: string
  /** The number of attempts, including the current one. */
  attempts: number
}

export async function refundsLease(db: Database, most: number, now: Date): Promise<DueRefund[]> {
  const { rows } = await sql<DueRefund>`
    update refunds f set leased_until = ${LEASED}, attempts = attempts + 1, begun = begun + 1,
      next_at = ${dueAfterCrash(sql.ref('f.next_at'), sql.ref('f.begun'), now)}
    from payments p
    where p.id = f.payment_id and f.id in (
      select id from refunds r where status = 'waiting' and next_at <= ${now} and ${isFree('r')}
      order by next_at limit ${most} for update skip locked)
    returning f.id, p.reference as receipt, p.booking_id, p.provider, f.amount::float8, p.currency, f.attempts`.execute(
    db,
  )
  return rows
}

export async function refundLeasesRenew(db: Database, due: readonly DueRefund[]): Promise<void> {
  await sql`update refunds set leased_until = ${LEASED}
    where id = any(${due.map(({ id }) => id)}::text[]) and leased_until is not null`.execute(db)
}

/** Stores the result of a refund. Returns false if its result is already stored. */
export async function refundEnd(
  db: Database,
  id: string,
  status: 'given' | 'refused',
  answer: string,
): Promise<boolean> {
  const ended = db.updateTable('refunds').set({ status, answer, leased_until: null, begun: 0 }).where('id', '=', id)
  const { numUpdatedRows } = await ended.where('status', '=', 'waiting').executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores that a refund failed. Returns undefined if the failure is already stored. The provider's notification of the
 * failure can arrive before its answer to the refund request. The stored status then keeps the later answer from
 * changing the refund again.
 */
export async function refundFail(db: Database, id: string, answer: string): Promise<OwedRefund | undefined> {
  const { rows } = await sql<OwedRefund>`
    update refunds f set status = 'refused', answer = ${answer}, leased_until = null, begun = 0 from payments p
    where f.id = ${id} and f.status in ('waiting', 'given') and p.id = f.payment_id
    returning p.booking_id, p.provider, f.amount::float8`.execute(db)
  return rows[0]
}

export async function refundPostpone(db: Database, id: string, until: Date): Promise<void> {
  const putOff = db.updateTable('refunds').set({ next_at: until, leased_until: null, begun: 0 }).where('id', '=', id)
  await putOff.where('status', '=', 'waiting').execute()
}

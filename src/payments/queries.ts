import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { newId } from '../new-id.ts'

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

/** One on which this much can still be paid, or that the provider is just being asked for. */
export async function checkoutOpen(
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

/** Whether it is still wanted, now that the provider has answered. */
export async function checkoutOpened(db: Database, id: string, reference: string): Promise<boolean> {
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

/** Takes those whose time is up or whose booking awaits this payment no more; nobody else takes them until then. */
export async function checkoutsTake(db: Database, most: number, until: Date, now: Date): Promise<CheckoutRow[]> {
  const { rows } = await sql<CheckoutRow>`
    update checkouts c set next_at = ${until}
    where id in (
      select c.id from checkouts c join bookings b on b.id = c.booking_id
      where c.status = 'open' and c.next_at <= ${now} and (
        c.expires_at <= ${now} or b.status <> 'requires_action' or b.expires_at <= ${now}
        or (b.record -> 'payment' ->> 'due')::bigint <> c.amount)
      order by c.next_at limit ${most} for update of c skip locked)
    returning ${checkoutColumns}`.execute(db)
  return rows
}

export interface ReceiptRow {
  reference: string
  provider: string
  booking_id: string
  amount: number
  currency: string
}

/** Enters it, unless it was entered before. */
export async function receiptInsert(tx: Database, row: ReceiptRow, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('receipts')
    .values({ ...row, returned: 0, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** What is left of the money that came in for a booking, the latest first. The booking itself is locked by the caller. */
export async function receiptsLeft(tx: Database, bookingId: string): Promise<{ reference: string; left: number }[]> {
  const { rows } = await sql<{ reference: string; left: number }>`
    select reference, (amount - returned)::float8 as left from receipts
    where booking_id = ${bookingId} and returned < amount
    order by received_at desc, reference`.execute(tx)
  return rows
}

/** Marks some of it as on its way back. */
export async function refundInsert(
  tx: Database,
  { receipt, amount, reason }: { receipt: string; amount: number; reason: string },
  now: Date,
): Promise<void> {
  await sql`update receipts set returned = returned + ${amount} where reference = ${receipt}`.execute(tx)
  await tx
    .insertInto('refunds')
    .values({ id: newId('rfd'), receipt, amount, reason, status: 'waiting', next_at: now, created_at: now })
    .execute()
}

export interface DueRefund {
  id: string
  receipt: string
  booking_id: string
  provider: string
  amount: number
  currency: string
  /** This one included. */
  attempts: number
}

/** Takes what is to be given back; should the process die over it, it is due again after a while, later each time. */
export async function refundsTake(db: Database, most: number, now: Date): Promise<DueRefund[]> {
  const { rows } = await sql<DueRefund>`
    update refunds f set attempts = attempts + 1,
      next_at = ${now}::timestamptz + least(interval '1 minute' * power(2, least(attempts, 10)), interval '6 hours')
    from receipts r
    where r.reference = f.receipt and f.id in (
      select id from refunds where status = 'waiting' and next_at <= ${now}
      order by next_at limit ${most} for update skip locked)
    returning f.id, f.receipt, r.booking_id, r.provider, f.amount::float8, r.currency, f.attempts`.execute(db)
  return rows
}

export async function refundEnd(db: Database, id: string, status: 'given' | 'refused', answer: string): Promise<void> {
  await db.updateTable('refunds').set({ status, answer }).where('id', '=', id).execute()
}

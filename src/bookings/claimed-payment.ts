import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../db/change.ts'
import type { BookingRow } from './booking-row.ts'
import { lockAndExpire, saveBooking } from './change-booking.ts'
import { awaits } from './tasks.ts'

/**
 * The buyer says to have paid by hand. The staff are told once: they look whether it has come in, and the booking stands when
 * they say so. Answers the booking as it is then; said again, or when nothing is to be paid any more, it stays as it is.
 */
export async function claimPayment(tx: Change, id: string, now: Date): Promise<BookingRow | undefined> {
  const booking = await lockAndExpire(tx, id, undefined, now)
  if (!booking || !awaits(booking, 'payment') || isClaimed(booking)) return booking
  const record = { ...booking.record, payment_claimed_at: now.toISOString() }
  return saveBooking(tx, booking, { record }, { actor: 'buyer', action: 'claim_payment' }, now)
}

/** Whether the buyer says to have paid what is due now: what came in since then was it. */
export const isClaimed = ({ record: { payment_claimed_at, payment } }: Pick<BookingRow, 'record'>): boolean =>
  payment_claimed_at !== undefined && !payment?.received.some(({ received_at }) => received_at >= payment_claimed_at)

/** The same of what is stored. */
export const hasClaim: RawBuilder<boolean> = sql<boolean>`
  (record ->> 'payment_claimed_at' is not null and not exists (
    select from json_array_elements(record #> '{payment,received}') as one
    where one ->> 'received_at' >= record ->> 'payment_claimed_at'))`

import type { Context } from '../../protocol/define-operation.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { bookingFind } from '../bookings/queries.ts'
import { chargesOf } from './charge-queries.ts'
import type { CheckoutRow } from './checkout-row.ts'

/** Finds the booking of a UCP checkout. If the checkout is not completed, the result is undefined. */
export const bookingOf = async ({ db }: Pick<Context, 'db'>, row: CheckoutRow): Promise<BookingRow | undefined> =>
  row.status === 'completed' ? bookingFind(db, row.booking_id, undefined, { lock: false }) : undefined

/**
 * Returns the messages about payments that the provider refuses to return. Such a payment belongs to a canceled UCP
 * checkout and led to no booking.
 */
export async function unreturnedPayments({ db }: Pick<Context, 'db'>, row: CheckoutRow): Promise<Message[]> {
  if (row.status !== 'canceled') return []
  const charges = await chargesOf(db, row.id)
  return charges.flatMap(({ status, problem }) => (status === 'unreturned' && problem ? [problem] : []))
}

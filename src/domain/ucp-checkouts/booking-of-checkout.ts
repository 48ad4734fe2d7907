import type { Context } from '../../protocol/define-operation.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { bookingFind } from '../bookings/queries.ts'
import { chargesOf } from './charge-queries.ts'
import type { CheckoutRow } from './checkout-row.ts'

/** Finds the booking of a UCP checkout. Undefined if the checkout is not completed. */
export const bookingOf = async ({ db }: Pick<Context, 'db'>, row: CheckoutRow): Promise<BookingRow | undefined> =>
  row.status === 'completed' ? bookingFind(db, row.booking_id, undefined, { lock: false }) : undefined

/** Makes messages that say why a UCP checkout was canceled although the buyer has paid. */
export async function unreturnedPayments({ db }: Pick<Context, 'db'>, row: CheckoutRow): Promise<Message[]> {
  if (row.status !== 'canceled') return []
  const charges = await chargesOf(db, row.id)
  return charges.flatMap(({ status, problem }) => (status === 'unreturned' && problem ? [problem] : []))
}

import type { Context } from '../../protocol/operation.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { bookingFind } from '../bookings/queries.ts'
import type { CheckoutRow } from './checkout-row.ts'

/** The booking of a completed checkout. */
export const bookingOf = async ({ db }: Pick<Context, 'db'>, row: CheckoutRow): Promise<BookingRow | undefined> =>
  row.status === 'completed' ? bookingFind(db, row.booking_id, undefined, { lock: false }) : undefined

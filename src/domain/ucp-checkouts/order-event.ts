import type { SnapshotBody } from '../../core/events/event-body.ts'
import type { Database } from '../../infra/db/database.ts'
import { bookingFind } from '../bookings/queries.ts'
import { paymentsOf } from '../payments/queries.ts'
import { type OrderWireContext, toOrder } from './order-wire.ts'
import { checkoutByOrder } from './queries.ts'

/** The body of an event about an order. It contains the order as it is when the server sends the event. */
export const orderBody =
  (db: Database, making: OrderWireContext): SnapshotBody =>
  async (_, { id }) => {
    const row = await checkoutByOrder(db, id)
    const booking = row && (await bookingFind(db, row.booking_id, undefined, { lock: false }))
    return row && booking && toOrder(row, booking, await paymentsOf(db, booking.id), making)
  }

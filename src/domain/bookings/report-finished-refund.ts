import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { AfterRefund } from '../payments/refund-worker.ts'
import { recordOrderEvent } from './booking-events.ts'
import { notifyStaff } from './notify-about-booking.ts'
import { bookingFind } from './queries.ts'

/**
 * The server calls this function when the payment provider has completed or refused a refund. The function sends an
 * event about the changed order to the platform. After a refused refund, it also notifies the staff.
 */
export const afterRefund =
  ({ clock }: Dependencies<'clock'>): AfterRefund =>
  async (tx, { booking_id, provider, amount }, reason) => {
    const booking = await bookingFind(tx, booking_id, undefined, { lock: false })
    if (!booking) return
    await recordOrderEvent(tx, booking, 'order.updated', clock())
    if (reason === undefined || booking.people.erased) return
    const refusal = { provider, words: reason }
    notifyStaff(tx, 'booking.refund_refused', { ...booking, returned: amount, refusal }, clock())
  }

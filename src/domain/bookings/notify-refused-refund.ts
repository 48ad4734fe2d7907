import type { Dependencies } from '../../protocol/dependencies.ts'
import type { NotifyRefusal } from '../payments/refund-worker.ts'
import { notifyStaff } from './notify-about-booking.ts'
import { bookingFind } from './queries.ts'

export const notifyRefusedRefund =
  ({ clock }: Dependencies<'clock'>): NotifyRefusal =>
  async (tx, { booking_id, provider, amount }, words) => {
    const booking = await bookingFind(tx, booking_id, undefined, { lock: false })
    if (!booking || booking.people.erased) return
    notifyStaff(tx, 'booking.refund_refused', { ...booking, returned: amount, refusal: { provider, words } }, clock())
  }

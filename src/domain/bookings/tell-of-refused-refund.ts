import type { Dependencies } from '../../protocol/means.ts'
import type { NotifyRefusal } from '../payments/return-money.ts'
import { bookingFind } from './queries.ts'
import { notifyStaff } from './tell-of-booking.ts'

export const notifyRefusedRefund =
  ({ clock }: Dependencies<'clock'>): NotifyRefusal =>
  async (tx, { booking_id, provider, amount }, words) => {
    const booking = await bookingFind(tx, booking_id, undefined, { lock: false })
    if (!booking || booking.people.erased) return
    notifyStaff(tx, 'booking.refund_refused', { ...booking, returned: amount, refusal: { provider, words } }, clock())
  }

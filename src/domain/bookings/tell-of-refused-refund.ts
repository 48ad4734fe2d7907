import type { Means } from '../../protocol/means.ts'
import type { TellOfRefusal } from '../payments/return-money.ts'
import { bookingFind } from './queries.ts'
import { tellStaff } from './tell-of-booking.ts'

export const tellOfRefusedRefund =
  ({ clock }: Means<'clock'>): TellOfRefusal =>
  async (tx, { booking_id, provider, amount }, words) => {
    const booking = await bookingFind(tx, booking_id, undefined, { lock: false })
    if (!booking || booking.people.erased) return
    tellStaff(tx, 'booking.refund_refused', { ...booking, returned: amount, refusal: { provider, words } }, clock())
  }

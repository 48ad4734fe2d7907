import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { cancellationTerms, whyNotCancelable } from '../../domain/bookings/cancel-and-reschedule-rules.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { keptAmountOf } from '../../domain/pricing/payment-amounts.ts'
import type { PageContext } from './load-booking-page-context.ts'

export interface Costs {
  fee: number
  refund: number
}

export type Terms = ({ allowed: true } & Costs) | { allowed: false; why: 'never' | 'too_late' }

/**
 * Returns what a cancellation costs the buyer now, or the reason why the buyer is not allowed to cancel. Undefined if
 * the booking has ended.
 */
export function termsOf(booking: BookingRow, now: Date): Terms | undefined {
  if (!isPossible('cancel', booking)) return undefined
  const why = whyNotCancelable(booking, now)
  return why ? { allowed: false, why } : { allowed: true, ...cancellationTerms(booking, 'buyer', now) }
}

/**
 * Returns the cancellation cost that the page shows, as a form value. The form sends this value back, so the server
 * notices a changed cost.
 */
export const shownCancelingCosts = ({ fee, refund }: Costs) => `${fee} ${refund}`

export function cancelingCostText(
  { booking, definition, localizer: { say, money } }: PageContext,
  { fee, refund }: Costs,
): string {
  const { payment } = booking.record
  const currency = payment?.currency ?? definition.business.currency
  const net = keptAmountOf(payment)
  const [paid, back, kept] = [money(net, currency), money(refund, currency), money(net - refund, currency)]
  if (net === 0) return fee > 0 ? say('booking.cancel.owed', { fee: money(fee, currency) }) : say('booking.cancel.free')
  if (refund === net) return say('booking.cancel.all_back', { paid })
  if (refund === 0) return say('booking.cancel.none_back', { paid })
  return say('booking.cancel.some_back', { kept, paid, back })
}

import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { hasUsedAllMoves, whyNotMovable } from '../../domain/bookings/cancel-and-reschedule-rules.ts'
import type { MoveCosts } from '../../domain/bookings/quote-and-reschedule.ts'
import { totalOf } from '../../domain/pricing/payment-amounts.ts'
import type { PageContext } from './load-booking-page-context.ts'

/** Returns the reason why the buyer cannot move the booking. Returns undefined if the buyer can move it. */
export const moveRefusal = (booking: BookingRow, now: Date) =>
  booking.status === 'requires_action'
    ? 'unfinished'
    : (whyNotMovable(booking, now) ?? (hasUsedAllMoves(booking) ? 'too_often' : undefined))

/** The query parameter that tells the booking page that the buyer has just moved the booking. */
export const MOVED = 'moved'

/**
 * Returns the cost of the move that the page shows, as a form value. The form sends this value back, so the server
 * notices a changed cost.
 */
export const shownMoveCosts = ({ fee, due, refund, price = 0 }: MoveCosts) => `${fee} ${due} ${refund} ${price}`

export function moveCostText(context: PageContext, costs: MoveCosts): string {
  const { say } = context.localizer
  const { fee, due, refund, price } = costs
  const [amount, oldPrice] = [amountIn(context), priceOf(context)]
  if (due > 0) return say('booking.move.due', { due: amount(due) })
  if (refund > 0) return say('booking.move.refund', { refund: amount(refund) })
  const isOther = price !== undefined && oldPrice !== undefined && price !== oldPrice
  const sentences = [
    isOther && say('booking.move.price', { price: amount(price), was: amount(oldPrice) }),
    fee > 0 && say('booking.move.fee', { fee: amount(fee) }),
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : say('booking.move.free')
}

/** Returns the text of the button that moves the booking. If the move costs money, the text names the amount. */
export function moveButtonText(context: PageContext, costs: MoveCosts): string {
  const { say } = context.localizer
  const more = moreToPay(context.booking, costs)
  return more > 0 ? say('booking.move.paid', { price: amountIn(context)(more) }) : say('booking.move.do')
}

/** Returns the additional amount that a move costs the buyer, in minor units (such as cents). */
export const moreToPay = (booking: Booked, { fee, due, price = 0 }: MoveCosts): number =>
  due || fee + Math.max(0, price - (priceOf({ booking }) ?? 0))

type Booked = Pick<BookingRow, 'record'>

const priceOf = ({ booking: { record } }: { booking: Booked }) => record.payment && totalOf(record.payment)

const amountIn = ({ booking, definition, localizer }: PageContext) => {
  const currency = booking.record.payment?.currency ?? definition.business.currency
  return (minorUnits: number) => localizer.money(minorUnits, currency)
}

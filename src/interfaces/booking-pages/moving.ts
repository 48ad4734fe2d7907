import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { wasMovedOften, whyNotMovable } from '../../domain/bookings/policies.ts'
import type { MoveCosts } from '../../domain/bookings/reschedule.ts'
import type { PageContext } from './page-context.ts'

/** Whether it is of use to ask for another time at all. */
export const mayBeMoved = ({ status }: BookingRow): boolean => status === 'confirmed' || status === 'pending'

/** Why the buyer cannot move it; nothing where that is possible. */
export const moveRefusal = (booking: BookingRow, now: Date) =>
  booking.status === 'requires_action'
    ? 'unfinished'
    : (whyNotMovable(booking, now) ?? (wasMovedOften(booking) ? 'too_often' : undefined))

/** What the address of the booking's page says besides, for who has just moved it. */
export const MOVED = 'moved'

/** What the page said of it, sent back with the form. */
export const sealOfMove = ({ fee, due, refund, price = 0 }: MoveCosts) => `${fee} ${due} ${refund} ${price}`

/** What moving costs, in a sentence or two. */
export function moveCostText(context: PageContext, costs: MoveCosts): string {
  const { say } = context.speech
  const { fee, due, refund, price } = costs
  const [amount, was] = [amountIn(context), priceOf(context)]
  if (due > 0) return say('booking.move.due', { due: amount(due) })
  if (refund > 0) return say('booking.move.refund', { refund: amount(refund) })
  const isOther = price !== undefined && was !== undefined && price !== was
  const sentences = [
    isOther && say('booking.move.price', { price: amount(price), was: amount(was) }),
    fee > 0 && say('booking.move.fee', { fee: amount(fee) }),
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : say('booking.move.free')
}

/** Whoever is bound to pay more by pressing it reads so on the button, as on the one that books. */
export function moveButtonText(context: PageContext, costs: MoveCosts): string {
  const { say } = context.speech
  const more = moreToPay(context.booking, costs)
  return more > 0 ? say('booking.move.paid', { price: amountIn(context)(more) }) : say('booking.move.do')
}

/** What moving makes somebody pay that they did not have to pay before. */
export const moreToPay = (booking: Booked, { fee, due, price = 0 }: MoveCosts): number =>
  due || fee + Math.max(0, price - (priceOf({ booking }) ?? 0))

type Booked = Pick<BookingRow, 'record'>

const priceOf = ({ booking: { record } }: { booking: Booked }) =>
  record.payment && record.payment.amount + record.payment.tax

const amountIn = ({ booking, definition, speech }: PageContext) => {
  const currency = booking.record.payment?.currency ?? definition.business.currency
  return (minorUnits: number) => speech.money(minorUnits, currency)
}

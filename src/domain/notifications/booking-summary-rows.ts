import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { isAhead, restAtVisit } from '../bookings/booking-amounts-owed.ts'
import { placeOfBooking } from '../bookings/booking-location-text.ts'
import { referenceOf } from '../bookings/booking-response.ts'
import { type BookingSnapshot, isReachable } from '../bookings/notify-about-booking.ts'
import { amountToPay } from '../bookings/payment-instructions.ts'
import { fullName } from '../bookings/people-of-booking.ts'
import { resourceNames, serviceName } from '../bookings/translate-booking-texts.ts'
import { collectedOf, isDeposit, type Payment, refundedOf } from '../pricing/payment-amounts.ts'
import { type NotificationContext, wholeSeries } from './notification-context.ts'

export type Row = readonly [name: string, value: string]
type Rows = (readonly [name: string, value: string | undefined])[]

export const rowsWithValue = (rows: Rows): Row[] =>
  rows.flatMap(([name, value]): Row[] => (value ? [[name, value]] : []))

export function bookingRows(context: NotificationContext): Row[] {
  const { booking, definition, localizer } = context
  const { record } = booking
  const { say } = localizer
  const all = wholeSeries(booking)
  const party = record.party_size > 1 ? say('letter.row.people', { count: record.party_size }) : undefined
  return rowsWithValue([
    [say('letter.row.what'), serviceName(booking, definition, localizer)],
    [say('letter.row.when'), all.map((one) => whenText(one, all.length > 1, localizer)).join('\n')],
    [say('letter.row.where'), placeOfBooking(booking, definition, localizer) ?? say('place.yours')],
    [say('letter.row.with'), localizer.list(resourceNames(booking, definition, localizer))],
    [say('letter.row.party'), party],
    ...(all.length > 1 ? eachPrice(context) : moneyRows(context)),
  ])
}

function whenText(booking: BookingSnapshot, isOneOfMany: boolean, localizer: Localizer): string {
  const { record, starts_at, ends_at } = booking
  const time = timeRange(localizer, starts_at, ends_at, record.zone)
  return isOneOfMany ? `${time} · ${referenceOf(booking)}` : time
}

/**
 * Returns the row with the price of each booking, for a mail about several bookings. Other payment details apply to one
 * booking only, so the mail leaves them out.
 */
function eachPrice({ booking, localizer }: NotificationContext): Rows {
  const { payment } = booking.record
  if (!payment) return []
  const price = priceText(payment, isAhead(booking), localizer)
  return [[localizer.say('letter.row.price'), localizer.say('letter.row.price.each', { price })]]
}

export const referenceRow = ({ booking, localizer }: NotificationContext): Row => [
  localizer.say('letter.row.reference'),
  referenceOf(booking),
]

function moneyRows({ booking, localizer }: NotificationContext): Rows {
  const { say, money } = localizer
  const { payment } = booking.record
  const owed = amountToPay(booking)
  const rest = restAtVisit(booking)
  const text = (amount: number) => (payment && amount > 0 ? money(amount, payment.currency) : undefined)
  return [
    [say('letter.row.price'), payment && priceText(payment, isAhead(booking), localizer)],
    [say('letter.row.paid'), payment && text(collectedOf(payment))],
    [say('letter.row.returned'), payment && text(refundedOf(payment))],
    [say('letter.row.owed'), owed && money(owed.amount, owed.currency)],
    [say('letter.row.rest'), rest && money(rest.amount, rest.currency)],
  ]
}

export function priceText(payment: Payment, isToCome: boolean, { say, money }: Localizer): string {
  const { timing, amount, tax, currency, visit_asked } = payment
  const sum = money(amount + tax, currency)
  const price = tax > 0 ? say('letter.row.price.tax', { price: sum, tax: money(tax, currency) }) : sum
  // The text `later` says that the buyer pays at the visit. It would be wrong if the booking is over, or if the buyer
  // must already pay the amount for the visit (`visit_asked`).
  if (timing === 'at_service') return isToCome && !visit_asked ? say('letter.row.price.later', { price }) : price
  if (!isDeposit(payment) || payment.deposit === 0) return price
  return say('letter.row.price.deposit', { price, deposit: money(payment.deposit, currency) })
}

export function peopleRows({ booking: { people }, localizer: { say } }: NotificationContext): Row[] {
  const { buyer, recipient, notes } = people
  return rowsWithValue([
    [say('letter.row.name'), fullName(buyer)],
    [say('letter.row.email'), isReachable(people) ? buyer.email : undefined],
    [say('letter.row.phone'), buyer.phone_number],
    [say('letter.row.recipient'), recipient && fullName(recipient)],
    [say('letter.row.notes'), notes],
  ])
}

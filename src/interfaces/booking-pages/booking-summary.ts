import { isAhead, owedFee, restAtVisit } from '../../domain/bookings/booking-amounts-owed.ts'
import { placeOfBooking } from '../../domain/bookings/booking-location-text.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { resourceNames, serviceName } from '../../domain/bookings/translate-booking-texts.ts'
import { collectedOf, isDeposit, refundedOf } from '../../domain/pricing/payment-amounts.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { textWithLang } from '../pages/mark-untranslated-text.ts'
import { type Fact, facts } from '../pages/name-value-list.ts'
import type { PageContext } from './load-booking-page-context.ts'

export function summary({ booking, definition, localizer }: PageContext): Content {
  const { record, starts_at, ends_at } = booking
  const { say } = localizer
  const names = resourceNames(booking, definition, localizer)
  const rows: Fact[] = [
    [say('booking.what'), whatIsBooked({ booking, definition, localizer })],
    [say('booking.when'), timeRange(localizer, starts_at, ends_at, record.zone)],
    [say('booking.where'), placeOfBooking(booking, definition, localizer)],
    [say('booking.with'), names.length > 0 ? localizer.list(names) : undefined],
    [say('booking.for'), record.party_size > 1 ? say('booking.people', { count: record.party_size }) : undefined],
    [say('booking.price'), isOfNoPrice(booking) ? undefined : price(booking, localizer)],
    [say('booking.paid'), paid(booking, localizer)],
    [say('booking.open'), open(booking, localizer)],
    [say('booking.rest'), rest(booking, localizer)],
  ]
  return facts(rows, localizer)
}

/**
 * Returns the name of the booked service in the reader's language. If the service no longer exists, returns its name at
 * the time of booking.
 */
export const whatIsBooked = ({
  booking,
  definition,
  localizer,
}: Pick<PageContext, 'booking' | 'definition' | 'localizer'>) =>
  textWithLang(
    { text: serviceName(booking, definition, localizer), usual: booking.record.service.name },
    definition,
    localizer,
  )

/** A short summary of the booking, for pages whose reader already knows the details. */
export const shortSummary = ({ booking, definition, localizer }: PageContext): Content => {
  const { record, starts_at, ends_at } = booking
  return html`<p><strong>${whatIsBooked({ booking, definition, localizer })}</strong><br>${timeRange(localizer, starts_at, ends_at, record.zone)}<br>
<span class="soft">${price(booking, localizer)}</span></p>`
}

/** Whether the summary of a booking shows no price, because the booking was canceled before the buyer paid. */
const isOfNoPrice = ({ status, record }: BookingRow): boolean =>
  status === 'canceled' && (record.payment?.received ?? []).length === 0

function price(booking: BookingRow, { say, money }: Localizer): string {
  const { payment } = booking.record
  if (!payment) return say('booking.price.none')
  const { timing, amount, tax, currency, visit_asked } = payment
  const all = money(amount + tax, currency)
  const price = tax > 0 ? say('booking.price.taxed', { price: all, tax: money(tax, currency) }) : all
  // The text adds the words “due at your appointment” except in two cases: the booking is over, or the staff have
  // already requested the payment.
  if (timing === 'at_service')
    return visit_asked || !isAhead(booking) ? price : say('booking.price.at_service', { price })
  if (!isDeposit(payment)) return price
  return say('booking.price.deposit', { price, deposit: money(payment.deposit, currency) })
}

function paid({ record: { payment } }: BookingRow, { say, money }: Localizer): string | undefined {
  if (!payment || payment.received.length === 0) return undefined
  const { currency } = payment
  const amount = money(collectedOf(payment), currency)
  const back = refundedOf(payment)
  return back > 0 ? say('booking.paid.returned', { amount, returned: money(back, currency) }) : amount
}

function rest(booking: BookingRow, { money }: Localizer): string | undefined {
  const rest = restAtVisit(booking)
  return rest && money(rest.amount, rest.currency)
}

/**
 * Returns the text with the amount that the buyer must still pay for a confirmed booking. Before the confirmation, the
 * payment page shows the amount.
 */
function open(booking: BookingRow, { say, money }: Localizer): string | undefined {
  const fee = owedFee(booking)
  if (fee) return say('booking.open.missed', { amount: money(fee.amount_due, fee.currency) })
  const {
    status,
    record: { payment },
  } = booking
  const stands = status === 'confirmed' || status === 'in_progress' || status === 'completed'
  return stands && payment && payment.due > 0 ? money(payment.due, payment.currency) : undefined
}

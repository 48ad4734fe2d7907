import type { Slot } from '../../domain/availability/find-slot.ts'
import { namedResources } from '../../domain/availability/time-slot-response.ts'
import { restBesideDeposit } from '../../domain/bookings/booking-amounts-owed.ts'
import { placeText } from '../../domain/bookings/booking-location-text.ts'
import { localTexts } from '../../domain/catalog/localized-texts.ts'
import { paymentFor } from '../../domain/pricing/booking-price.ts'
import { isDeposit, type Payment, totalOf } from '../../domain/pricing/payment-amounts.ts'
import type { PriceTerms } from '../../domain/pricing/slot-price.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { MINUTE, SECOND } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { textWithLang } from './mark-untranslated-text.ts'
import { type Fact, facts } from './name-value-list.ts'

interface Terms {
  party: number
  price?: PriceTerms | null
}

export function slotSummary(slot: Slot, { party, price }: Terms, localizer: Localizer): Content {
  const { say, money } = localizer
  const { plan, time } = slot
  const payment = paymentFor(slot, party, price)
  const rest = restBesideDeposit(payment)
  const { channel } = plan.service
  const location = plan.business.locations?.find(({ id }) => id === time.location)
  // If a service has no text about its place, the appointment is at the buyer's address. The form below on the same
  // page asks for this address.
  const place = placeText({ channel, location }, plan.business, localizer) ?? say('place.yours')
  const people = namedResources(plan, time.picks, localizer.locale).map(({ name }) => name)
  const { name, usual } = localTexts(plan.service, localizer.locale)
  const rows: Fact[] = [
    [say('booking.what'), textWithLang({ text: name, usual: usual.name }, plan.business, localizer)],
    [say('booking.when'), timeRange(localizer, new Date(time.start), new Date(time.end), plan.zone)],
    [say('booking.where'), place],
    [say('booking.with'), people.length > 0 && localizer.list(people)],
    [say('booking.for'), party > 1 && say('booking.people', { count: party })],
    [say('booking.price'), payment ? priceOf(payment, localizer) : say('booking.price.none')],
    [
      say(isDeposit(payment) ? 'booking.due_now.deposit' : 'booking.due_now'),
      payment && payment.due > 0 && money(payment.due, payment.currency),
    ],
    [say('booking.rest'), payment && rest > 0 && money(rest, payment.currency)],
  ]
  return facts(rows, localizer)
}

function priceOf({ amount, tax, currency }: Payment, { say, money }: Localizer): string {
  const price = money(amount + tax, currency)
  return tax > 0 ? say('booking.price.taxed', { price, tax: money(tax, currency) }) : price
}

/**
 * The page of a hold (a reserved slot) or of a waitlist offer shows a countdown if at most this number of minutes
 * remains.
 */
const MOST_MINUTES = 90

/**
 * Shows the remaining minutes of a hold (a reserved slot) or offer, which a browser script counts down. The server
 * sends the text for each minute, because the script does not know the plural rules of languages.
 */
export function minutesLeft(until: Date, now: Date, lapsed: Message, { say }: Localizer): Content {
  const left = until.getTime() - now.getTime()
  const minutes = Math.ceil(left / MINUTE)
  if (minutes > MOST_MINUTES) return undefined
  const words = Array.from({ length: minutes + 1 }, (_, count) => say('book.kept', { count }))
  return html`<span data-seconds="${Math.ceil(left / SECOND)}" data-lapsed="${say(lapsed)}" data-left="${JSON.stringify(words)}">${words.at(-1)}</span>`
}

/**
 * The payment and the kind of a buyer's order. If `isAsked` is true, the business must confirm the booking after the
 * order.
 */
interface Order {
  payment: Payment | undefined
  isAsked: boolean
  /** The text of the order button if the buyer pays nothing, now or later. */
  free: Message
}

/** Returns the text of the order button. If the order costs money, the text states the price as the law requires. */
export function orderText({ payment, isAsked, free }: Order, { say, money }: Localizer): string {
  if (!payment || totalOf(payment) === 0) return say(free)
  const price = money(totalOf(payment), payment.currency)
  return say(isAsked ? 'book.request.paid' : 'book.confirm.paid', { price })
}

import type { Localizer } from '../../infra/i18n/localizer.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pageUrl } from '../bookings/booking-page-links.ts'
import { type BookingRow, isBeingChecked } from '../bookings/booking-row.ts'
import { awaits } from '../bookings/buyer-tasks.ts'
import { lockAndExpire } from '../bookings/lock-and-save-booking.ts'
import { keepForCheckout } from '../bookings/release-after-payment-window.ts'
import { itemText, serviceName } from '../bookings/translate-booking-texts.ts'
import { type Checkout, type CheckoutRequest, type Provider, ProviderError } from '../payments/payment-provider.ts'
import {
  type CheckoutRow,
  checkoutEnd,
  checkoutInsert,
  checkoutReferenceSet,
  reusableCheckoutFind,
} from '../payments/queries.ts'
import { type Payment, taxOfDue } from '../pricing/payment-amounts.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

type Needs = Dependencies<'db' | 'clock' | 'config' | 'tag' | 'makeChange' | 'business'>

/**
 * The shortest and the longest time that a payment page stays open, in milliseconds. Stripe allows one minute less and
 * one minute more. If the booking expires earlier, the server closes the page when the booking expires.
 */
const SHORTEST_MS = 31 * MINUTE
const LONGEST_MS = 24 * 60 * MINUTE - MINUTE

interface PreparedCheckout {
  row: CheckoutRow
  request: CheckoutRequest
}

/**
 * Returns the web address of a payment page for the amount due. The result is undefined if nothing is due or the time
 * to pay is over.
 */
export async function startCheckout(
  dependencies: Needs,
  { name, provider }: { name: string; provider: Provider },
  bookingId: string,
  { localizer, isRetry = false }: { localizer: Localizer; isRetry?: boolean },
): Promise<string | undefined> {
  const { db } = dependencies
  const wanted = await prepareCheckout(dependencies, name, bookingId, localizer)
  if (!wanted) return undefined
  const { row } = wanted
  const checkout = await ask(provider, wanted).catch(async (error: unknown) => {
    // In these two cases, the buyer never got the web address of this payment page, or can no longer pay on the page.
    // Therefore the next attempt must open a new page.
    if (!row.reference || (error instanceof ProviderError && error.isFinal)) await checkoutEnd(db, row.id, 'closed')
    throw error
  })
  if (checkout.status !== 'open') {
    await recordCheckoutResult(dependencies, row, checkout)
    // A payment page may expire before its booking. The server then opens one new page.
    return checkout.status === 'closed' && !isRetry
      ? startCheckout(dependencies, { name, provider }, bookingId, { localizer, isRetry: true })
      : undefined
  }
  return (await checkoutReferenceSet(db, row.id, checkout.reference)) ? checkout.url : undefined
}

const ask = (provider: Provider, { row, request }: PreparedCheckout): Promise<Checkout> =>
  row.reference ? provider.read(row.reference) : provider.open(request)

/**
 * Finds the open checkout (payment page) of the booking, or stores a new checkout. The server stores the checkout
 * before it calls the provider. Therefore a repeated attempt finds the checkout, and opens no second page.
 */
const prepareCheckout = async (
  dependencies: Needs,
  provider: string,
  bookingId: string,
  localizer: Localizer,
): Promise<PreparedCheckout | undefined> => {
  const definition = await dependencies.business.get()
  return dependencies.makeChange(async (tx) => {
    const now = dependencies.clock()
    const booking = await lockAndExpire(tx, bookingId, undefined, now)
    const payment = booking?.record.payment
    if (!booking || !payment || !awaits(booking, 'payment') || isBeingChecked(booking, now)) return undefined
    if (!(await keepForCheckout(tx, booking, now))) return undefined
    const { due, currency } = payment
    const found = await reusableCheckoutFind(tx, { booking_id: booking.id, amount: due, currency }, now)
    const row = found ?? {
      id: newId('chk'),
      booking_id: booking.id,
      provider,
      reference: null,
      amount: due,
      currency,
      expires_at: expiryOf(booking, now),
    }
    if (!found) await checkoutInsert(tx, row, now)
    return { row, request: checkoutRequestFor(dependencies, row, { booking, payment, definition, localizer }) }
  })
}

function expiryOf({ expires_at }: BookingRow, now: Date): Date {
  const remaining = expires_at ? expires_at.getTime() - now.getTime() : 0
  return new Date(now.getTime() + Math.min(Math.max(remaining, SHORTEST_MS), LONGEST_MS))
}

interface Due {
  booking: BookingRow
  payment: Payment
  definition: BusinessDefinition | undefined
  localizer: Localizer
}

function checkoutRequestFor(
  { config, tag }: Dependencies<'config' | 'tag'>,
  row: CheckoutRow,
  { booking, payment, definition, localizer }: Due,
): CheckoutRequest {
  const { currency } = payment
  const items = payment.items.map((item) => ({ ...item, label: itemText(booking, definition, localizer, item.label) }))
  const tax = taxOfDue(payment)
  const page = pageUrl(config.baseUrl, tag, booking, 'payment')
  return {
    id: row.id,
    bookingId: booking.id,
    currency,
    expiresAt: row.expires_at,
    items: tax > 0 ? [...items, { label: localizer.say('booking.payment.tax'), amount: tax, quantity: 1 }] : items,
    description: serviceName(booking, definition, localizer),
    language: localizer.language,
    // The return URL contains the language. A buyer may start on a page in a frame of another website, and return in a
    // full window. The full window does not know the language of the frame.
    done: `${page}/done?lang=${localizer.language}`,
    back: `${page}/back?lang=${localizer.language}`,
  }
}

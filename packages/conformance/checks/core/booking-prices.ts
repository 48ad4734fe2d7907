import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { days, type Slot } from '../../target/free-slots.ts'
import { channelOf, isManual, isShared, policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { hasSpots } from '../transactions/slots-and-bookings.ts'
import { amountOf, pricingOf } from './service-facts.ts'

const needs = ['services.availability', 'services.bookings']

const timingOf = (service: Members): unknown => policiesOf(service).payment_timing
const modelOf = (service: Members): unknown => pricingOf(service).model

interface Priced {
  service: Members
  slot: Slot
  booking: Members
  payment: Members
  /** The price in the booking, without tax. Undefined if the booking shows no price. */
  price: number | undefined
}

/** Books the first service that fits, and reads the payment of the booking. */
async function bookPriced(
  c: CheckContext,
  description: string,
  fits: (service: Members) => boolean,
  input: Members = {},
): Promise<Priced> {
  const service = c.service(description, (one) => channelOf(one) !== 'at_buyer_location' && fits(one))
  const party = Number(input.party_size ?? 1)
  const { booking, slot } = await c.book(service, isShared(service) ? { input, where: hasSpots(party) } : { input })
  const payment = asMembers(booking.payment) ?? {}
  return { service, slot, booking, payment, price: amountOf(payment.amount) }
}

/**
 * Returns the price in the booking. If the buyer pays at the service, a booking may show no price: then the check is
 * skipped.
 */
function statedPrice({ price, service }: Priced): number {
  if (price === undefined && timingOf(service) === 'at_service') throw new Skip('The booking does not show its price.')
  expectTrue(price !== undefined, 'an amount in the payment of the booking', 'none')
  return price
}

const paymentActionsOf = ({ actions }: Members): Members[] =>
  actions === undefined ? [] : expectList(actions, 'actions').filter(({ type }) => type === 'payment')

export const bookingPriceChecks = [
  check(
    'CAT-102',
    'A booking of a service with a fixed price costs this price',
    async (c) => {
      const priced = await bookPriced(c, 'service with a fixed price', (one) => modelOf(one) === 'fixed')
      const special = amountOf(asMembers(priced.slot.pricing)?.amount)
      expectEqual(
        statedPrice(priced),
        special ?? amountOf(pricingOf(priced.service).amount),
        'the price of the booking',
      )
    },
    { needs },
  ),
  check(
    'CAT-103',
    'An hourly price is multiplied by the hours of the slot',
    async (c) => {
      const priced = await bookPriced(c, 'service with an hourly price', (one) => modelOf(one) === 'hourly')
      const hours = (days(priced.slot.duration) ?? 0) * 24
      const amount = amountOf(pricingOf(priced.service).amount) ?? 0
      expectEqual(statedPrice(priced), Math.round(amount * hours), `the price of ${hours} hours`)
    },
    { needs },
  ),
  check(
    'CAT-104',
    'A price per person is multiplied by the number of people',
    async (c) => {
      const input = { party_size: 3 }
      const isForThree = (one: Members) => modelOf(one) === 'per_person' && isShared(one)
      const priced = await bookPriced(c, 'group or reservation with a price per person', isForThree, input)
      const amount = amountOf(pricingOf(priced.service).amount) ?? 0
      expectEqual(statedPrice(priced), 3 * amount, 'the price of three people')
    },
    { needs },
  ),
  check(
    'CAT-105',
    'A booking of a service with varying prices costs the price of its slot',
    async (c) => {
      const priced = await bookPriced(c, 'service with varying prices', (one) => modelOf(one) === 'variable')
      const { amount, currency } = asMembers(priced.slot.pricing) ?? {}
      expectEqual(statedPrice(priced), amountOf(amount), 'the price of the booking')
      expectEqual(priced.payment.currency, currency, 'the currency of the booking')
    },
    { needs },
  ),
  check(
    'CAT-106 CAT-108 CAT-109',
    'A booking of a free service needs no payment, and is confirmed at once in automatic mode',
    async (c) => {
      const isFree = (one: Members) => modelOf(one) === 'free' && !isManual(one)
      const { slot, booking } = await bookPriced(c, 'free service in auto mode', isFree)
      expectTrue(!(Number(asMembers(slot.pricing)?.amount ?? 0) > 0), 'no price of the slot', slot.pricing)
      expectEqual(booking.payment, undefined, 'the payment of the booking')
      expectEqual(paymentActionsOf(booking), [], 'the payment actions')
      expectEqual(booking.status, 'confirmed', 'status')
    },
    { needs },
  ),
  check(
    'CAT-108 CAT-109',
    'A booking of a free service in manual mode waits for approval, and needs no payment',
    async (c) => {
      const isFree = (one: Members) => modelOf(one) === 'free' && isManual(one)
      const { booking } = await bookPriced(c, 'free service in manual mode', isFree)
      expectEqual(booking.payment, undefined, 'the payment of the booking')
      expectEqual(paymentActionsOf(booking), [], 'the payment actions')
      expectEqual(booking.status, 'pending', 'status')
    },
    { needs },
  ),
  check(
    'CAT-110 CAT-111',
    'A booking with payment at the service is confirmed before the payment',
    async (c) => {
      const isPaidLater = (one: Members) => timingOf(one) === 'at_service' && !isManual(one)
      const priced = await bookPriced(c, 'service that is paid at the service', isPaidLater)
      const { booking, payment } = priced
      expectEqual(booking.status, 'confirmed', 'status')
      expectEqual(paymentActionsOf(booking), [], 'the payment actions')
      if (booking.payment !== undefined)
        expectEqual([payment.status, amountOf(payment.amount_due)], ['not_required', 0], 'status and amount_due')
    },
    { needs },
  ),
  check(
    'CAT-112',
    'A booking with payment at booking waits for the payment of its full price',
    async (c) => {
      const isPaidNow = (one: Members) => timingOf(one) === 'at_booking' && !isManual(one)
      const priced = await bookPriced(c, 'service that is paid at the booking', isPaidNow)
      expectWaitsForPayment(priced, statedPrice(priced))
    },
    { needs },
  ),
  check(
    'CAT-107 CAT-113',
    'A booking with a deposit waits for the payment of the deposit',
    async (c) => {
      const isDeposit = (one: Members) => timingOf(one) === 'deposit_required' && !isManual(one)
      const priced = await bookPriced(c, 'service with a deposit', isDeposit)
      const { type, value } = asMembers(pricingOf(priced.service).deposit) ?? {}
      const percentage = Math.floor((statedPrice(priced) * Number(value)) / 100 + 0.5)
      expectWaitsForPayment(priced, type === 'percentage' ? percentage : Number(value))
    },
    { needs },
  ),
]

/** Requires a booking with one payment action for the amount that is due now. The server may add tax to the amount. */
function expectWaitsForPayment({ booking, payment }: Priced, due: number): void {
  expectEqual([booking.status, payment.status], ['requires_action', 'pending'], 'the status of booking and payment')
  const tax = amountOf(payment.tax_amount) ?? 0
  const found = amountOf(payment.amount_due) ?? Number.NaN
  expectTrue(found === due || (tax > 0 && found > due && found <= due + tax), `amount_due to be ${due}`, payment)
  const actions = paymentActionsOf(booking)
  expectEqual(actions.length, 1, 'the number of payment actions')
  expectEqual(amountOf(asMembers(actions[0]?.payment_context)?.amount_due), found, 'amount_due of the payment action')
}

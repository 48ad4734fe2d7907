import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue, show } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { pricingOf } from '../core/service-facts.ts'
import { askToBook, bookingOf, hasSpots } from '../transactions/slots-and-bookings.ts'
import { bookPaidAhead, depositOf, expectAmount, isPaid, minorUnits, needs, paidService } from './payment-steps.ts'

const STATUSES = ['not_required', 'pending', 'deposit_paid', 'paid', 'refunded', 'partially_refunded']

export const paymentAmountChecks = [
  check(
    'PAY-001',
    'A booking of a free service has no payment and no actions',
    async (c) => {
      const { booking } = await c.book(freeAppointment(c))
      expectEqual('payment' in booking, false, 'the presence of payment in the booking')
      expectNoActions(booking)
    },
    { needs },
  ),
  check(
    'PAY-003 PAY-004 PAY-018',
    'A booking with payment at the service has no payment action and no amount due',
    async (c) => {
      const { booking } = await c.book(paidService(c, 'at_service'))
      expectNoActions(booking)
      const payment = (booking.payment ?? { status: 'not_required' }) as Members
      expectEqual(payment.status, 'not_required', 'payment.status')
      expectAmount(payment.amount_due ?? 0, 0, 'payment.amount_due')
    },
    { needs },
  ),
  check(
    'PAY-002 PAY-005 PAY-006 PAY-007 PAY-014 PAY-016 LIV-050',
    'For a booking with payment at booking, the whole price with tax is due',
    async (c) => {
      const { booking, payment, service, slot } = await bookPaidAhead(c, 'at_booking')
      c.schemas.expectValid('booking#BookingPayment', payment, 'payment')
      expectTrue(STATUSES.includes(String(payment.status)), 'a published payment.status', payment.status)
      expectEqual(payment.status, 'pending', 'payment.status')
      expectEqual(payment.timing, policiesOf(service).payment_timing, 'payment.timing')
      expectTrue(/^[A-Z]{3}$/.test(String(payment.currency)), 'an ISO 4217 code in payment.currency', payment.currency)
      const price = priceOf(service, slot, booking)
      if (price !== undefined) expectAmount(payment.amount, price, 'payment.amount')
      expectAmount(payment.amount_due, wholeOf(payment), 'payment.amount_due')
      expectEqual(
        'transaction_id' in payment || 'order_reference' in payment,
        false,
        'the presence of a transaction in the payment',
      )
    },
    { needs },
  ),
  check(
    'PAY-002 PAY-006 PAY-008 PAY-009',
    'For a percentage deposit, this percentage of the price is due, rounded half up',
    async (c) => {
      const { deposit, payment } = await bookWithDeposit(c, 'percentage')
      const due = minorUnits(payment.amount_due, 'payment.amount_due')
      const parts = [payment.amount, wholeOf(payment)].map((price) =>
        roundHalfUp(Number(price) * Number(deposit.value)),
      )
      expectTrue(parts.includes(due), `an amount_due of ${deposit.value} % of ${show(payment.amount)}`, due)
      expectAmount(payment.deposit_amount, due, 'payment.deposit_amount')
    },
    { needs },
  ),
  check(
    'PAY-008 PAY-010',
    'For a fixed deposit, the deposit of the service is due',
    async (c) => {
      const { deposit, payment } = await bookWithDeposit(c, 'fixed')
      expectAmount(payment.amount_due, Number(deposit.value), 'payment.amount_due')
      expectAmount(payment.deposit_amount, Number(deposit.value), 'payment.deposit_amount')
    },
    { needs },
  ),
  check(
    'PAY-011',
    'The amount of an hourly price is for the whole duration of the slot',
    async (c) => {
      const service = c.service('service with an hourly price', (one) => isSimple(one, 'hourly'))
      const { booking, slot } = await c.book(service)
      const hours = (Date.parse(slot.end) - Date.parse(slot.start)) / 3_600_000
      expectEqual(amountOf(booking), Math.round(perUnit(service, slot) * hours), 'payment.amount')
    },
    { needs },
  ),
  check(
    'PAY-012',
    'The amount of a price per person is for all people of the booking',
    async (c) => {
      const service = c.service('service with a price per person', (one) => isSimple(one, 'per_person'))
      const { booking, slot } = await c.book(service, { party_size: 2, input: { party_size: 2 } })
      expectEqual(amountOf(booking), 2 * perUnit(service, slot), 'payment.amount')
      if (!hasSpots(4)(slot)) return
      const second = bookingOf(await askToBook(c, slot, { input: { party_size: 2 } }))
      expectEqual(amountOf(second), 2 * perUnit(service, slot), 'payment.amount of the second booking of the slot')
    },
    { needs },
  ),
  check(
    'PAY-013',
    'The amount of a booking is the price of its slot, if the slot has a price',
    async (c) => {
      const service = c.service('service with a variable price and payment in advance', (one) => {
        const isPaidAhead = isPaid(one, 'at_booking') || isPaid(one, 'deposit_required')
        return isPaidAhead && modelOf(one) === 'variable'
      })
      const { booking, slot } = await c.book(service, { where: ({ pricing }) => pricing !== undefined })
      expectEqual(amountOf(booking), perUnit(service, slot), 'payment.amount')
    },
    { needs },
  ),
]

const expectNoActions = ({ actions = [] }: Members) => expectEqual(actions, [], 'actions')

/** Returns the price including tax. */
const wholeOf = ({ amount, tax_amount = 0 }: Members) =>
  minorUnits(amount, 'payment.amount') + minorUnits(tax_amount, 'payment.tax_amount')

const modelOf = (service: Members) => pricingOf(service).model
const roundHalfUp = (hundredths: number) => Math.floor(hundredths / 100 + 0.5)

function isSimple(service: Members, model: string): boolean {
  const isKnown = isPaid(service, 'at_booking') || isPaid(service, 'at_service')
  return isKnown && modelOf(service) === model
}

/** Returns the amount for one hour, person or booking. If the slot has no price, the price of the service counts. */
function perUnit(service: Members, { pricing = service.pricing }: Members): number {
  return minorUnits((pricing as Members).amount, 'the price')
}

/** Returns the price of one booking without tax. Undefined if the price is not fixed and not per person. */
function priceOf(service: Members, slot: Members, { party_size }: Members): number | undefined {
  if (modelOf(service) === 'fixed') return perUnit(service, slot)
  return modelOf(service) === 'per_person' ? perUnit(service, slot) * Number(party_size) : undefined
}

/** Returns the price of a booking. Skips the check if the booking does not show its price. */
function amountOf({ payment }: Members): number {
  const { amount } = (payment ?? {}) as Members
  if (amount === undefined)
    throw new Skip('The booking does not show its price, because the buyer pays at the service.')
  return minorUnits(amount, 'payment.amount')
}

async function bookWithDeposit(c: CheckContext, type: 'fixed' | 'percentage') {
  const service = c.service(
    `service with a deposit of the type ${type}`,
    (one) => isPaid(one, 'deposit_required') && depositOf(one).type === type,
  )
  const { booking } = await c.book(service)
  const payment = expectMembers(booking.payment, 'payment')
  expectEqual(payment.status, 'pending', 'payment.status')
  expectEqual(payment.timing, 'deposit_required', 'payment.timing')
  return { deposit: depositOf(service), payment }
}

const freeAppointment = (c: CheckContext) =>
  c.service(
    'free appointment',
    (service) => service.type === 'appointment' && policiesOf(service).requires_payment === false,
  )

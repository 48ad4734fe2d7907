import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue, show } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { askToBook, hasSpots } from '../transactions/slots-and-bookings.ts'
import { bookPaidAhead, isPaid, minorUnits, paidService, policiesOf } from './payment-scene.ts'

const needs = ['services.availability', 'services.bookings']
const STATUSES = ['not_required', 'pending', 'deposit_paid', 'paid', 'refunded', 'partially_refunded']

export const paymentAmountChecks = [
  check(
    'PAY-001',
    'A booking of a free service has no payment and no action of the type payment',
    async (c) => {
      const { booking } = await c.book(freeAppointment(c))
      expectEqual('payment' in booking, false, 'whether the booking has a payment')
      expectEqual(actionsOf(booking), [], 'actions')
    },
    { needs },
  ),
  check(
    'PAY-003 PAY-004 PAY-018',
    'A booking that is paid at the service has no payment action and nothing due',
    async (c) => {
      const { booking } = await c.book(paidService(c, 'at_service'))
      expectEqual(actionsOf(booking), [], 'actions')
      const payment = (booking.payment ?? { status: 'not_required' }) as Members
      expectEqual(payment.status, 'not_required', 'payment.status')
      expectEqual(minorUnits(payment.amount_due ?? 0, 'payment.amount_due'), 0, 'payment.amount_due')
    },
    { needs },
  ),
  check(
    'PAY-002 PAY-005 PAY-006 PAY-007 PAY-014 PAY-016 LIV-050',
    'A booking that is paid at booking owes the whole price with its tax',
    async (c) => {
      const { booking, payment, service, slot } = await bookPaidAhead(c, 'at_booking')
      c.schemas.expectValid('booking#BookingPayment', payment, 'payment')
      expectTrue(STATUSES.includes(String(payment.status)), 'a published payment.status', payment.status)
      expectEqual(payment.status, 'pending', 'payment.status')
      expectEqual(payment.timing, policiesOf(service).payment_timing, 'payment.timing')
      expectTrue(/^[A-Z]{3}$/.test(String(payment.currency)), 'an ISO 4217 code in payment.currency', payment.currency)
      const price = priceOf(service, slot, booking)
      if (price !== undefined) expectEqual(minorUnits(payment.amount, 'payment.amount'), price, 'payment.amount')
      const tax = minorUnits(payment.tax_amount ?? 0, 'payment.tax_amount')
      const whole = minorUnits(payment.amount, 'payment.amount') + tax
      expectEqual(minorUnits(payment.amount_due, 'payment.amount_due'), whole, 'payment.amount_due')
      expectEqual('transaction_id' in payment || 'order_reference' in payment, false, 'whether it has a transaction')
    },
    { needs },
  ),
  check(
    'PAY-002 PAY-006 PAY-008 PAY-009',
    'A booking with a percentage deposit owes this part of the price, rounded half up',
    async (c) => {
      const { deposit, payment } = await bookWithDeposit(c, 'percentage')
      const whole = minorUnits(payment.amount, 'payment.amount') + minorUnits(payment.tax_amount ?? 0, 'tax_amount')
      const due = minorUnits(payment.amount_due, 'payment.amount_due')
      const parts = [payment.amount, whole].map((price) => roundHalfUp(Number(price) * Number(deposit.value)))
      expectTrue(parts.includes(due), `an amount_due of ${deposit.value} % of ${show(payment.amount)}`, due)
      expectEqual(minorUnits(payment.deposit_amount, 'payment.deposit_amount'), due, 'payment.deposit_amount')
    },
    { needs },
  ),
  check(
    'PAY-008 PAY-010',
    'A booking with a fixed deposit owes the deposit as the service names it',
    async (c) => {
      const { deposit, payment } = await bookWithDeposit(c, 'fixed')
      expectEqual(minorUnits(payment.amount_due, 'payment.amount_due'), Number(deposit.value), 'payment.amount_due')
      expectEqual(minorUnits(payment.deposit_amount, 'deposit_amount'), Number(deposit.value), 'payment.deposit_amount')
    },
    { needs },
  ),
  check(
    'PAY-011',
    'An hourly price is charged for the duration of the slot',
    async (c) => {
      const service = c.service('service with an hourly price', (one) => isSimple(one, 'hourly'))
      const { booking, slot } = await c.book(service)
      const { amount } = amountOf(booking)
      const hours = (Date.parse(slot.end) - Date.parse(slot.start)) / 3_600_000
      expectEqual(amount, Math.round(perUnit(service, slot) * hours), 'payment.amount')
    },
    { needs },
  ),
  check(
    'PAY-012',
    'A price per person is charged for each person',
    async (c) => {
      const service = c.service('service with a price per person', (one) => isSimple(one, 'per_person'))
      const { booking, slot } = await c.book(service, { party_size: 2, input: { party_size: 2 } })
      expectEqual(amountOf(booking).amount, 2 * perUnit(service, slot), 'payment.amount')
      if (!hasSpots(4)(slot)) return
      const { booking: second } = (await askToBook(c, slot, { input: { party_size: 2 } })).success()
      const { amount } = amountOf(expectMembers(second, 'booking'))
      expectEqual(amount, 2 * perUnit(service, slot), 'payment.amount of the second booking of the slot')
    },
    { needs },
  ),
  check(
    'PAY-013',
    'A slot with a price of its own is charged at that price',
    async (c) => {
      const service = c.service('service with a variable price that is paid ahead', (one) => {
        const isPaidAhead = isPaid(one, 'at_booking') || isPaid(one, 'deposit_required')
        return isPaidAhead && modelOf(one) === 'variable'
      })
      const { booking, slot } = await c.book(service, { where: ({ pricing }) => pricing !== undefined })
      expectEqual(amountOf(booking).amount, perUnit(service, slot), 'payment.amount')
    },
    { needs },
  ),
]

function actionsOf({ actions = [] }: Members): Members[] {
  return actions as Members[]
}

const modelOf = ({ pricing }: Members) => (pricing as Members | undefined)?.model
const roundHalfUp = (hundredths: number) => Math.floor(hundredths / 100 + 0.5)

function isSimple(service: Members, model: string): boolean {
  const isKnown = isPaid(service, 'at_booking') || isPaid(service, 'at_service')
  return isKnown && modelOf(service) === model
}

/** The amount of a slot, or else of its service, for one hour, person or booking. */
function perUnit(service: Members, { pricing = service.pricing }: Members): number {
  return minorUnits((pricing as Members).amount, 'the price')
}

/** The price of one booking without tax, if it is fixed or per person. */
function priceOf(service: Members, slot: Members, { party_size }: Members): number | undefined {
  if (modelOf(service) === 'fixed') return perUnit(service, slot)
  return modelOf(service) === 'per_person' ? perUnit(service, slot) * Number(party_size) : undefined
}

function amountOf({ payment }: Members): { amount: number } {
  const { amount } = (payment ?? {}) as Members
  if (amount === undefined) throw new Skip('The booking does not tell its price, because it is paid at the service.')
  return { amount: minorUnits(amount, 'payment.amount') }
}

async function bookWithDeposit(c: CheckContext, type: 'fixed' | 'percentage') {
  const depositOf = (one: Members) => ((one.pricing as Members | undefined)?.deposit ?? {}) as Members
  const service = c.service(`service with a deposit of the type ${type}`, (one) =>
    isPaid(one, 'deposit_required') ? depositOf(one).type === type : false,
  )
  const { booking } = await c.book(service)
  const payment = expectMembers(booking.payment, 'payment')
  expectEqual(
    { status: payment.status, timing: payment.timing },
    { status: 'pending', timing: 'deposit_required' },
    'payment',
  )
  return { deposit: depositOf(service), payment }
}

const freeAppointment = (c: CheckContext) =>
  c.service(
    'free appointment',
    (service) => service.type === 'appointment' && policiesOf(service).requires_payment === false,
  )

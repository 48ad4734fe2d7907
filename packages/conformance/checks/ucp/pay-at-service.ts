import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { readBooking } from '../transactions/slots-and-bookings.ts'
import {
  type Checkout,
  checkoutOf,
  expectInvalid,
  needs as ofCheckouts,
  openCheckout,
  PAY_AT_SERVICE,
  readCheckout,
  readOrder,
  selectedTerm,
  serviceWith,
  TERMS,
  totalOf,
} from './checkout-steps.ts'
import { foreignInstrument } from './payment-instruments.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

const needs = [...ofCheckouts, TERMS, PAY_AT_SERVICE, 'services.bookings']

const isAtService = ({ schedules }: Members): boolean =>
  expectList(schedules, 'schedules').every(({ type }) => type === 'at_service')

/** The term whose price the buyer pays at the service. */
function offlineTerm({ settlement, payment }: Checkout): Members {
  const { term_id } = expectMembers(settlement, 'settlement')
  const terms = expectList(expectMembers(payment, 'payment').terms, 'payment.terms')
  const term = terms.find(({ id }) => id === term_id)
  return expectMembers(term, 'the term that settlement names')
}

export const payAtServiceChecks = [
  check(
    'LIV-124',
    'A checkout that is paid at the service has a settlement for exactly one of its terms',
    async (c) => {
      const { checkout } = await openCheckout(c, serviceWith(c, 'at_service'))
      c.schemas.expectValid('pay_at_service#OfflineSettlement', checkout.settlement, 'settlement')
      c.schemas.expectValid('pay_at_service#PayAtServiceTerm', offlineTerm(checkout), 'the term')
      const terms = expectList(expectMembers(checkout.payment, 'payment').terms, 'payment.terms')
      expectEqual(terms.filter(isAtService).length, 1, 'the number of terms that are paid at the service')
      expectMembers(selectedTerm(checkout), 'the term that selected_term_id names')
    },
    { needs },
  ),
  check(
    'LIV-125',
    'The price that is paid at the service is due at the start of the slot',
    async (c) => {
      const { checkout, slot } = await openCheckout(c, serviceWith(c, 'at_service'))
      const schedules = expectList(offlineTerm(checkout).schedules, 'schedules')
      for (const { due_at } of schedules)
        expectEqual(expectInstant(due_at, 'due_at'), Date.parse(slot.start), 'due_at of a schedule')
      const sum = schedules.reduce((total, { amount }) => total + Number(amount), 0)
      expectEqual(sum, totalOf(checkout, 'total'), 'the sum of the schedules')
    },
    { needs },
  ),
  check(
    'LIV-126 LIV-128 PAY-084',
    'A checkout that is paid at the service is completed without an instrument, and its booking is confirmed',
    async (c) => {
      const { checkout, checkouts, id } = await openCheckout(c, serviceWith(c, 'at_service'))
      const done = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
      const booking = await readBooking(c, { id: done.booking.booking_id })
      expectEqual([booking.status, booking.payment], ['confirmed', undefined], 'status and payment of the booking')
      const order = await readOrder(checkouts, done)
      expectEqual(order.checkout_id, id, 'checkout_id of the order')
      expectEqual(expectMembers(order.payment, 'payment').accepted_term, offlineTerm(checkout), 'accepted_term')
      expectEqual(order.settlement, checkout.settlement, 'settlement of the order')
    },
    { needs },
  ),
  check(
    'LIV-127',
    'An instrument for a price that is paid at the service is refused, and books nothing',
    async (c) => {
      const { checkout, checkouts, id } = await openCheckout(c, serviceWith(c, 'at_service'))
      const payment = { instruments: [foreignInstrument()] }
      expectInvalid(await checkouts.call('completeCheckout', { id, checkout: { payment } }))
      await expectNotBooked(c, checkouts, checkout)
      const { status } = await readCheckout(checkouts, id)
      expectTrue(status === 'ready_for_complete', 'a checkout that is still ready', status)
    },
    { needs },
  ),
]

import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import {
  expectEqual,
  expectInstant,
  expectList,
  expectMembers,
  expectText,
  expectTrue,
} from '../../run/expectations.ts'
import { policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { depositOf, minorUnits } from '../payments/payment-steps.ts'
import {
  type Checkout,
  checkoutOf,
  isPlain,
  needs as ofCheckouts,
  openCheckout,
  readOrder,
  selectedTerm,
  soldService,
  TERMS,
  totalOf,
} from './checkout-steps.ts'
import { completionWith } from './payment-instruments.ts'

const needs = [...ofCheckouts, TERMS]

type DepositType = 'fixed' | 'percentage'

async function openDeposit(c: CheckContext, type: DepositType) {
  const service = soldService(c, `service with a deposit of the type ${type}`, (one) => {
    return isPlain(one) && policiesOf(one).payment_timing === 'deposit_required' && depositOf(one).type === type
  })
  return openCheckout(c, service)
}

/** The amounts that the deposit may have. A percentage can refer to the price with or without its tax. */
function possibleDeposits(checkout: Checkout, service: Members): number[] {
  const { type, value } = depositOf(service)
  if (type === 'fixed') return [Number(value)]
  const prices = [totalOf(checkout, 'subtotal'), totalOf(checkout, 'total')]
  return prices.map((price = 0) => Math.floor((price * Number(value)) / 100 + 0.5))
}

/** Requires one term: the deposit now, and the rest at the start of the slot. Returns the term. */
function expectDepositTerm(checkout: Checkout, service: Members): Members {
  const term = expectMembers(selectedTerm(checkout), 'the selected term')
  expectEqual(expectList(expectMembers(checkout.payment, 'payment').terms, 'terms').length, 1, 'the number of terms')
  expectText(term.title, 'title of the term')
  const schedules = expectList(term.schedules, 'schedules')
  for (const { description } of schedules) expectText(expectMembers(description, 'description').plain, 'plain')
  const now = schedules.filter(({ type }) => type === 'immediate')
  const later = schedules.filter(({ type }) => type !== 'immediate')
  expectEqual([now.length, later.length], [1, 1], 'the numbers of schedules due now and due later')
  const [deposit, rest] = [...now, ...later].map(({ amount }) => minorUnits(amount, 'amount of a schedule'))
  const possible = possibleDeposits(checkout, service)
  expectTrue(possible.includes(deposit ?? Number.NaN), `an immediate amount of ${possible.join(' or ')}`, deposit)
  expectEqual(Number(deposit) + Number(rest), totalOf(checkout, 'total'), 'the sum of the schedules')
  const start = (checkout.booking.slot as Members).start
  expectEqual(expectInstant(later[0]?.due_at, 'due_at'), expectInstant(start, 'start'), 'due_at of the rest')
  return term
}

export const depositChecks = (['fixed', 'percentage'] as const).flatMap((type) => {
  const deposit = type === 'fixed' ? 'a fixed deposit' : 'a deposit of a percentage'
  const vector = type === 'fixed' ? 'flow/106' : 'flow/107'
  return [
    check(
      type === 'fixed' ? 'LIV-123 PAY-010 CAT-107' : 'LIV-123 PAY-009 CAT-107',
      `A checkout with ${deposit} has one term: the deposit now, and the rest at the start of the slot (${vector})`,
      async (c) => {
        const { service, checkout } = await openDeposit(c, type)
        expectDepositTerm(checkout, service)
        expectEqual('split_payments' in checkout, false, 'whether the checkout has split_payments')
      },
      { needs },
    ),
    check(
      'LIV-123',
      `The order of a checkout with ${deposit} has the accepted term and the full price (${vector})`,
      async (c) => {
        const { service, checkout, checkouts, id } = await openDeposit(c, type)
        const term = expectDepositTerm(checkout, service)
        const payment = completionWith(c, checkout)
        const done = checkoutOf(await checkouts.call('completeCheckout', { id, checkout: payment }))
        expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
        const order = await readOrder(checkouts, done)
        expectEqual(expectMembers(order.payment, 'payment').accepted_term, term, 'accepted_term')
        expectEqual(totalOf(order, 'total'), totalOf(checkout, 'total'), 'the total of the order')
      },
      { needs },
    ),
  ]
})

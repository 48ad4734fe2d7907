import { randomUUID } from 'node:crypto'
import { type Answer, asMembers } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { cancelBooking, expectOffered } from '../transactions/slots-and-bookings.ts'
import {
  askForCheckout,
  type Checkout,
  checkoutOf,
  expectMessage,
  needs as ofCheckouts,
  openCheckout,
  readCheckout,
  serviceWith,
  unpaidService,
} from './checkout-steps.ts'
import { completionWith } from './payment-instruments.ts'

const needs = [...ofCheckouts, 'services.bookings']
const AT_ONCE = 10

type Opened = Awaited<ReturnType<typeof openCheckout>>

/** Runs a call so many times at the same time. */
const simultaneously = <T>(call: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, call))

/** The part of a checkout that each answer to the same completion must have. */
const outcomeOf = ({ status, order, booking: { booking_id, booking_status } }: Checkout) => ({
  status,
  order,
  booking_id,
  booking_status,
})

/** Requires that the checkout made one booking only: the slot is free as soon as this booking is canceled. */
async function expectBookedOnce(c: CheckContext, { checkouts, slot, id }: Opened): Promise<void> {
  const { status, booking } = await readCheckout(checkouts, id)
  expectEqual(status, 'completed', 'status')
  await expectOffered(c, slot, false)
  await cancelBooking(c, { id: booking.booking_id })
  await expectOffered(c, slot, true)
}

/** Requires that no answer is an internal error, and that all answers with an order name the same one. */
function expectOneOrder(answers: Answer[]): void {
  for (const { status, text } of answers) expectTrue(status < 500, 'no internal error', `HTTP ${status} ${text}`)
  const orders = answers.flatMap(({ result }) => asMembers(result?.order)?.id ?? [])
  expectTrue(orders.length > 0, 'an answer with an order', 'none')
  expectEqual(new Set(orders).size, 1, 'the number of orders')
}

/** Requires that a repeated completion gets the first outcome, and that another content gets a conflict. */
async function expectReplayed({ checkouts, id }: Opened, completion = {}): Promise<void> {
  const options = { idempotencyKey: randomUUID() }
  const complete = (checkout: object) => checkouts.call('completeCheckout', { id, checkout: { ...checkout } }, options)
  const first = checkoutOf(await complete(completion))
  expectEqual(first.status, 'completed', 'status')
  expectEqual(outcomeOf(checkoutOf(await complete(completion))), outcomeOf(first), 'the second outcome')
  const other = await complete({ ...completion, signals: { 'dev.usp-protocol.agent_host_ip': '203.0.113.7' } })
  other.failsWith('idempotency_conflict', { rest: 409, mcp: [-32000, -32602] })
}

export const checkoutRetryChecks = [
  check(
    'LIV-115',
    'A completion with the same idempotency key gets the first outcome, and with other contents a conflict',
    async (c) => {
      const opened = await openCheckout(c)
      await expectReplayed(opened)
      await expectBookedOnce(c, opened)
    },
    { needs },
  ),
  check(
    'LIV-115',
    'A paid completion with the same idempotency key gets the first outcome, and with other contents a conflict',
    async (c) => {
      const opened = await openCheckout(c, serviceWith(c, 'at_booking'))
      await expectReplayed(opened, completionWith(c, opened.checkout))
      await expectBookedOnce(c, opened)
    },
    { needs },
  ),
  check(
    'LIV-115 BKG-006',
    'Ten simultaneous completions of one checkout with different keys make one order and one booking',
    async (c) => {
      const opened = await openCheckout(c)
      const { checkouts, id } = opened
      expectOneOrder(await simultaneously(() => checkouts.call('completeCheckout', { id })))
      await expectBookedOnce(c, opened)
    },
    { needs },
  ),
  check(
    'LIV-115',
    'Ten simultaneous completions of one checkout with one key get the same outcome',
    async (c) => {
      const opened = await openCheckout(c)
      const { checkouts, id } = opened
      const options = { idempotencyKey: randomUUID() }
      const answers = await simultaneously(() => checkouts.call('completeCheckout', { id }, options))
      const outcomes = answers.map((answer) => outcomeOf(checkoutOf(answer)))
      for (const outcome of outcomes) expectEqual(outcome, outcomes[0], 'the outcome')
      await expectBookedOnce(c, opened)
    },
    { needs },
  ),
  check(
    'LIV-115',
    'Ten simultaneous completions of one paid checkout make one order and one booking',
    async (c) => {
      const opened = await openCheckout(c, serviceWith(c, 'at_booking'))
      const { checkouts, id } = opened
      const checkout = completionWith(c, opened.checkout)
      const options = { idempotencyKey: randomUUID() }
      expectOneOrder(await simultaneously(() => checkouts.call('completeCheckout', { id, checkout }, options)))
      await expectBookedOnce(c, opened)
    },
    { needs },
  ),
  check(
    'HLD-013 BKG-006',
    'Of simultaneous checkouts of one slot by several platforms exactly one is made',
    async (c) => {
      const slot = await c.slot(unpaidService(c))
      const platforms = Array.from({ length: 5 }, () => c.newPlatform())
      const answers = await Promise.all(platforms.map((platform) => askForCheckout(c, slot, { platform })))
      const made = answers.filter(({ result }) => result?.status === 'ready_for_complete')
      expectEqual(made.length, 1, 'the number of checkouts to complete')
      for (const answer of answers) if (!made.includes(answer)) expectMessage(answer, 'slot_unavailable')
    },
    { needs },
  ),
]

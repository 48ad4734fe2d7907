import type { Members } from '../../caller/answer.ts'
import {
  expectEqual,
  expectInstant,
  expectList,
  expectMembers,
  expectText,
  expectTrue,
} from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { pricingOf } from '../core/service-facts.ts'
import { askToBook, cancelBooking, readBooking } from '../transactions/slots-and-bookings.ts'
import {
  bookPaidAhead,
  expectDemandOfPayment,
  isPaid,
  minorUnits,
  needs,
  pay,
  paymentActionOf,
} from './payment-steps.ts'

/** The minimum length of a token in characters. In Base64, this length is 96 bits. */
const MIN_TOKEN = 16

export const paymentActionChecks = [
  check(
    'PAY-017 PAY-018',
    'A booking has the status requires_action only while one of its actions is pending',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      expectEqual(booking.status, 'requires_action', 'the status before the payment')
      const statuses = expectList(booking.actions, 'actions').map(({ status }) => status)
      expectTrue(statuses.includes('pending'), 'a pending action', statuses)
      const read = await readBooking(c, booking)
      expectEqual(read.actions, booking.actions, 'actions when read')
      for (const changed of [await pay(c, booking), await readBooking(c, booking), await cancelBooking(c, booking)]) {
        expectTrue(
          changed.status !== 'requires_action',
          'another status than requires_action after the payment',
          changed.status,
        )
        expectEqual(changed.actions ?? [], [], `actions of a booking in status ${changed.status}`)
      }
    },
    { needs },
  ),
  check(
    'PAY-020 PAY-021 PAY-022 PAY-023 PAY-024 PAY-025',
    'A payment action contains the amount, currency, line items and booking of its payment',
    async (c) => {
      const { booking, service } = await bookPaidAhead(c)
      const action = paymentActionOf(booking)
      c.schemas.expectValid('booking#Action', action, 'the action')
      const context = expectMembers(action.payment_context, 'payment_context')
      const { amount_due, currency } = expectMembers(booking.payment, 'payment')
      expectEqual(context.amount_due, amount_due, 'payment_context.amount_due')
      expectEqual(context.currency, currency, 'payment_context.currency')
      expectText(context.description, 'payment_context.description')
      expectLineItemsOfTotal(context)
      const metadata = expectMembers(context.metadata, 'metadata')
      const { start } = expectMembers(booking.slot, 'slot')
      expectEqual(metadata.booking_id, booking.id, 'metadata.booking_id')
      expectEqual(metadata.service_id, service.id, 'metadata.service_id')
      expectEqual(metadata.service_type, service.type, 'metadata.service_type')
      const slotStart = expectInstant(metadata.slot_start ?? start, 'metadata.slot_start')
      expectEqual(slotStart, expectInstant(start, 'slot.start'), 'metadata.slot_start')
      expectEqual('expires_at' in context, false, 'the presence of expires_at in payment_context')
    },
    { needs },
  ),
  check(
    'PAY-023',
    'The line items of a booking for several people add up to the amount due',
    async (c) => {
      const service = c.service(
        'service with a price per person and payment in advance',
        (one) => pricingOf(one).model === 'per_person' && isPaid(one, 'at_booking'),
      )
      const { booking } = await c.book(service, { party_size: 2, input: { party_size: 2 } })
      expectLineItemsOfTotal(expectMembers(paymentActionOf(booking).payment_context, 'payment_context'))
    },
    { needs },
  ),
  check(
    'PAY-026',
    'A pending payment action contains the message payment_required, but the answer itself does not',
    async (c) => {
      const { booking, result } = await bookPaidAhead(c)
      expectDemandOfPayment(paymentActionOf(booking), result)
    },
    { needs },
  ),
  check(
    'PAY-028 LIV-074',
    'A payment action expires at the same time as its booking',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      const action = paymentActionOf(booking)
      const expiry = expectInstant(action.expires_at, 'expires_at of the action')
      expectEqual(expiry, expectInstant(booking.expires_at, 'expires_at of the booking'), 'expires_at of the action')
      expectTrue(expiry > Date.now(), 'an expires_at in the future', action.expires_at)
    },
    { needs },
  ),
  check(
    'PAY-029',
    'The address of the payment page uses https',
    async (c) => {
      if (c.target.origin.startsWith('http://')) throw new Skip('The server under test runs without https.')
      const { booking } = await bookPaidAhead(c)
      const url = expectText(paymentActionOf(booking).continue_url, 'continue_url')
      expectTrue(url.startsWith('https://'), 'an https address', url)
    },
    { needs },
  ),
  check(
    'PAY-030',
    'The address of the payment page contains no data of the buyer or the payment',
    async (c) => {
      const buyer = { first_name: 'Quirinia', last_name: 'Zwetschgenbaum', email: 'quirinia.zw@conformance.example' }
      const { booking, payment, credential } = await bookPaidAhead(c, 'at_booking', { buyer })
      const { pathname, search } = new URL(expectText(paymentActionOf(booking).continue_url, 'continue_url'))
      const shown = decodeURIComponent(pathname + search).toLowerCase()
      for (const value of [...Object.values(buyer), 'quirinia.zw', payment.amount_due, credential])
        if (value !== undefined) expectTrue(!contains(shown, value), `an address without ${value}`, shown)
    },
    { needs },
  ),
  check(
    'PAY-031',
    'The address of the payment page has a different, long token for each booking',
    async (c) => {
      const tokens: string[] = []
      for (let nth = 0; nth < 2; nth++) {
        const { booking } = await bookPaidAhead(c)
        const url = expectText(paymentActionOf(booking).continue_url, 'continue_url')
        const parts = url.replaceAll(String(booking.id), '').match(/[\w-]+/g) ?? []
        tokens.push(parts.reduce((longest, part) => (part.length > longest.length ? part : longest), ''))
      }
      for (const token of tokens) expectTrue(token.length >= MIN_TOKEN, `a token of ${MIN_TOKEN} characters`, token)
      expectTrue(tokens[0] !== tokens[1], 'different tokens for the two bookings', tokens)
    },
    { needs },
  ),
  check(
    'PAY-058 LIV-011',
    'The server refuses a return address without a valid url, or with a parameter that is not a text',
    async (c) => {
      const service = c.service('service that is paid at booking', (one) => isPaid(one, 'at_booking'))
      const slot = await c.slot(service)
      for (const [post_payment_return_request, code] of [
        [{ params: { a: 'b' } }, 'invalid_request'] as const,
        [{ url: 'https://platform.example/back', params: { a: 1 } }, 'validation_error'] as const,
        [{ url: 'javascript:alert(1)' }, 'validation_error'] as const,
      ])
        (await askToBook(c, slot, { input: { post_payment_return_request } })).failsWith(code)
    },
    { needs },
  ),
]

/** Whether a lower-case text contains the value. A number does not count if it is part of a longer number. */
const contains = (text: string, value: unknown): boolean =>
  typeof value === 'number'
    ? new RegExp(`(^|\\D)${value}(\\D|$)`).test(text)
    : text.includes(String(value).toLowerCase())

/** Requires that the line items of a payment add up to its amount. */
function expectLineItemsOfTotal({ line_items, amount_due, tax_amount = 0 }: Members): void {
  let sum = 0
  for (const { label, amount, quantity, item_id } of expectList(line_items, 'line_items')) {
    expectText(label, 'label of a line item')
    expectText(item_id, 'item_id of a line item')
    expectTrue(Number.isInteger(quantity), 'a whole quantity of a line item', quantity)
    sum += minorUnits(amount, 'amount of a line item') * Number(quantity)
  }
  const due = minorUnits(amount_due, 'payment_context.amount_due')
  // In the schema, the amount includes the tax. In the rule, the server adds the tax to the amount. Therefore both
  // kinds of line items pass.
  const tax = minorUnits(tax_amount, 'payment_context.tax_amount')
  expectTrue(sum === due || sum + tax === due, `a sum of line items and tax of ${due}`, sum)
}

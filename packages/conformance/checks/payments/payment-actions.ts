import { asMembers, type Members } from '../../caller/answer.ts'
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
import { bookPaidAhead, cancelBooking, isPaid, minorUnits, pay, readBooking } from './payment-scene.ts'

const needs = ['services.availability', 'services.bookings']
/** Characters of a token with at least 96 bits in Base64. */
const MIN_TOKEN = 16
const INVALID = { rest: 422, mcp: -32602 }

export const paymentActionChecks = [
  check(
    'PAY-017 PAY-018',
    'A booking requires an action exactly while one of its actions is pending',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      expectEqual(booking.status, 'requires_action', 'the status before the payment')
      const statuses = expectList(booking.actions, 'actions').map(({ status }) => status)
      expectTrue(statuses.includes('pending'), 'a pending action', statuses)
      const read = await readBooking(c, booking)
      expectEqual(read.actions, booking.actions, 'actions when read')
      for (const changed of [await pay(c, booking), await readBooking(c, booking), await cancelBooking(c, booking)]) {
        expectTrue(changed.status !== 'requires_action', 'another status after the payment', changed.status)
        expectEqual(changed.actions ?? [], [], `actions of a booking in status ${changed.status}`)
      }
    },
    { needs },
  ),
  check(
    'PAY-020 PAY-021 PAY-022 PAY-023 PAY-024 PAY-025',
    'A payment action describes what is paid',
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
      expectEqual('expires_at' in context, false, 'whether payment_context has an expires_at')
    },
    { needs },
  ),
  check(
    'PAY-023',
    'The line items of several people add up to what is due',
    async (c) => {
      const service = c.service('service with a price per person that is paid ahead', (one) => {
        const { model } = (one.pricing ?? {}) as Members
        return model === 'per_person' && isPaid(one, 'at_booking')
      })
      const { booking } = await c.book(service, { party_size: 2, input: { party_size: 2 } })
      expectLineItemsOfTotal(expectMembers(paymentActionOf(booking).payment_context, 'payment_context'))
    },
    { needs },
  ),
  check(
    'PAY-026',
    'A pending payment action has a message payment_required, and the answer has none',
    async (c) => {
      const { booking, result } = await bookPaidAhead(c)
      const { code, severity } = expectMembers(paymentActionOf(booking).message, 'message of the action')
      expectEqual({ code, severity }, { code: 'payment_required', severity: 'requires_buyer_input' }, 'the message')
      const codes = ((result.messages ?? []) as Members[]).map((message) => message.code)
      expectEqual(codes.includes('payment_required'), false, 'whether the answer has the message')
    },
    { needs },
  ),
  check(
    'PAY-028 LIV-074',
    'A payment action expires together with its booking',
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
    'The address of a payment page uses https',
    async (c) => {
      if (c.target.origin.startsWith('http://')) throw new Skip('The server itself runs without https.')
      const { booking } = await bookPaidAhead(c)
      const url = expectText(paymentActionOf(booking).continue_url, 'continue_url')
      expectTrue(url.startsWith('https://'), 'an https address', url)
    },
    { needs },
  ),
  check(
    'PAY-030',
    'The address of a payment page contains no data of the buyer or the payment',
    async (c) => {
      const buyer = { first_name: 'Quirinia', last_name: 'Zwetschgenbaum', email: 'quirinia.zw@conformance.example' }
      const { booking, payment, credential } = await bookPaidAhead(c, 'at_booking', { buyer })
      const { pathname, search } = new URL(expectText(paymentActionOf(booking).continue_url, 'continue_url'))
      const shown = decodeURIComponent(pathname + search).toLowerCase()
      for (const value of [...Object.values(buyer), 'quirinia.zw', payment.amount_due, credential])
        if (value !== undefined) {
          const isNumber = typeof value === 'number'
          const isShown = isNumber
            ? new RegExp(`(^|\\D)${value}(\\D|$)`).test(shown)
            : shown.includes(`${value}`.toLowerCase())
          expectTrue(!isShown, `an address without ${value}`, shown)
        }
    },
    { needs },
  ),
  check(
    'PAY-031',
    'The address of a payment page has a token of its own, which no other booking has',
    async (c) => {
      const tokens: string[] = []
      for (let nth = 0; nth < 2; nth++) {
        const { booking } = await bookPaidAhead(c)
        const url = expectText(paymentActionOf(booking).continue_url, 'continue_url')
        const parts = url.replaceAll(String(booking.id), '').match(/[\w-]+/g) ?? []
        tokens.push(parts.reduce((longest, part) => (part.length > longest.length ? part : longest), ''))
      }
      for (const token of tokens) expectTrue(token.length >= MIN_TOKEN, `a token of ${MIN_TOKEN} characters`, token)
      expectTrue(tokens[0] !== tokens[1], 'another token for another booking', tokens)
    },
    { needs },
  ),
  check(
    'PAY-058 LIV-011',
    'A return address without its url, or with a parameter that is no text, is refused',
    async (c) => {
      const service = c.service('service that is paid at booking', (one) => isPaid(one, 'at_booking'))
      const slot = await c.slot(service)
      const book = (post_payment_return_request: unknown) =>
        c.caller.call('book', {
          service_id: service.id,
          slot_id: slot.id,
          buyer: c.buyer(),
          post_payment_return_request,
        })
      const refused = [
        [{ params: { a: 'b' } }, 'invalid_request', { rest: 400, mcp: -32600 }] as const,
        [{ url: 'https://platform.example/back', params: { a: 1 } }, 'validation_error', INVALID] as const,
        [{ url: 'javascript:alert(1)' }, 'validation_error', INVALID] as const,
      ]
      for (const [request, code, numbers] of refused) {
        const answer = await book(request)
        const booking = asMembers(answer.result?.booking)
        if (booking) c.cancelAfterwards(booking)
        answer.failsWith(code, numbers)
      }
    },
    { needs },
  ),
]

function paymentActionOf({ actions }: Members): Members {
  const action = expectList(actions, 'actions').find(({ type }) => type === 'payment')
  return expectMembers(action, 'the action of the type payment')
}

/** Requires line items that add up to the amount of a payment context. */
function expectLineItemsOfTotal({ line_items, amount_due, tax_amount = 0 }: Members): void {
  let sum = 0
  for (const { label, amount, quantity, item_id } of expectList(line_items, 'line_items')) {
    expectText(label, 'label of a line item')
    expectText(item_id, 'item_id of a line item')
    expectTrue(Number.isInteger(quantity), 'a whole quantity of a line item', quantity)
    sum += minorUnits(amount, 'amount of a line item') * Number(quantity)
  }
  const due = minorUnits(amount_due, 'payment_context.amount_due')
  // The schema calls the tax contained in the amount, and the rule adds it, so a server may show line items with it.
  const tax = minorUnits(tax_amount, 'payment_context.tax_amount')
  expectTrue(sum === due || sum + tax === due, `line items and tax of ${due}`, sum)
}

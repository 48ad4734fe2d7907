import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { CallOptions } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { channelOf, policiesOf } from '../../target/service-kinds.ts'
import { pricingOf } from '../core/service-facts.ts'
import { eventWith, namesOfEvents, SETTLE_MS } from '../events/received-events.ts'
import { bookingOf, cancelBooking } from '../transactions/slots-and-bookings.ts'

export const needs = ['services.availability', 'services.bookings']

export type PaymentTiming = 'at_booking' | 'deposit_required' | 'at_service'

export const depositOf = (service: Members): Members => asMembers(pricingOf(service).deposit) ?? {}

/**
 * Whether the buyer pays for the service at this time. The service must also need no approval and no address of the
 * buyer.
 */
export function isPaid(service: Members, timing: PaymentTiming): boolean {
  const { requires_payment, payment_timing, confirmation_mode } = policiesOf(service)
  const isAtBuyer = channelOf(service) === 'at_buyer_location'
  return requires_payment === true && payment_timing === timing && confirmation_mode === 'auto' && !isAtBuyer
}

/** Returns a service with this payment time. Prefers an appointment, because no other booking shares its slot. */
export function paidService(c: CheckContext, timing: PaymentTiming): Members {
  const services = c.services.filter((service) => isPaid(service, timing))
  const appointment = services.find(({ type }) => type === 'appointment')
  return (
    appointment ??
    c.service(`service with the payment timing ${timing} that needs no approval`, (service) => isPaid(service, timing))
  )
}

/** Books a service that the buyer pays at booking, fully or with a deposit. The payment is still pending. */
export async function bookPaidAhead(c: CheckContext, timing: PaymentTiming = 'at_booking', input: Members = {}) {
  const service = paidService(c, timing)
  const booked = await c.book(service, { input })
  const payment = expectMembers(booked.booking.payment, 'payment')
  return { ...booked, service, payment }
}

/** Returns the data with which a platform reports the payment of a booking. */
export function paymentResult({ payment }: Members, changes: Members = {}): Members {
  const { amount_due, currency, timing } = expectMembers(payment, 'payment')
  const status = timing === 'deposit_required' ? 'deposit_paid' : 'paid'
  return { status, transaction_id: `txn_${crypto.randomUUID()}`, amount_paid: amount_due, currency, ...changes }
}

export const confirmPayment = (
  c: CheckContext,
  { id }: Members,
  payment_result: unknown,
  options?: CallOptions,
): Promise<Answer> => c.caller.call('confirmPayment', { booking_id: id, payment_result }, options)

/** Reports the exact payment of a booking. Returns the changed booking. */
export async function pay(c: CheckContext, booking: Members, changes: Members = {}): Promise<Members> {
  return bookingOf(await confirmPayment(c, booking, paymentResult(booking, changes)))
}

export function paymentActionOf({ actions }: Members): Members {
  const action = expectList(actions, 'actions').find(({ type }) => type === 'payment')
  return expectMembers(action, 'the action of the type payment')
}

/** Requires that the message of the action demands the payment. The answer itself must not contain this message. */
export function expectDemandOfPayment(action: Members, { messages = [] }: Members): void {
  const { code, severity } = expectMembers(action.message, 'message of the action')
  expectEqual({ code, severity }, { code: 'payment_required', severity: 'requires_buyer_input' }, 'the message')
  const codes = expectList(messages, 'messages').map((message) => message.code)
  expectTrue(!codes.includes('payment_required'), 'no payment_required in messages', codes)
}

/** Cancels the booking. Returns the names of its events up to the cancellation event. */
export async function eventsUntilCancellation(c: CheckContext, booking: Members): Promise<unknown[]> {
  await cancelBooking(c, booking)
  await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
  return namesOfEvents(c.platform.hosted, booking)
}

/** Requires that the server sent the cancellation event of a booking, but no refund event. */
export async function expectNoEventOfRefund({ platform: { hosted } }: CheckContext, booking: Members): Promise<void> {
  await eventWith(hosted, { event: 'booking.canceled', booking_id: booking.id })
  await sleep(SETTLE_MS)
  expectEqual(namesOfEvents(hosted, booking).includes('booking.refund_issued'), false, 'the presence of a refund event')
}

/** Reads an amount of money in minor units, such as cents. The server may send a number or a string of digits. */
export function minorUnits(value: unknown, what: string): number {
  const isAmount = Number.isInteger(value) || (typeof value === 'string' && /^-?[0-9]+$/.test(value))
  expectTrue(isAmount, `an integer number of minor units for ${what}`, value)
  return Number(value)
}

/** Requires that the value is this amount of money in minor units, such as cents. */
export function expectAmount(found: unknown, expected: number, what: string): void {
  expectEqual(minorUnits(found, what), expected, what)
}

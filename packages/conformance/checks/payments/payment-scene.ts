import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers, expectTrue } from '../../run/expectations.ts'

export type PaymentTiming = 'at_booking' | 'deposit_required' | 'at_service'

export const policiesOf = (service: Members): Members => (service.policies ?? {}) as Members

/** Whether a booking of the service needs only a buyer, is confirmed without the staff, and is paid at this time. */
export function isPaid(service: Members, timing: PaymentTiming): boolean {
  const { requires_payment, payment_timing, confirmation_mode } = policiesOf(service)
  const isAtBuyer = (service.channel as Members | undefined)?.type === 'at_buyer_location'
  return requires_payment === true && payment_timing === timing && confirmation_mode === 'auto' && !isAtBuyer
}

/** A service that is paid at this time. An appointment comes first, because no other booking shares its slot. */
export function paidService(c: CheckContext, timing: PaymentTiming): Members {
  const services = c.services.filter((service) => isPaid(service, timing))
  const appointment = services.find(({ type }) => type === 'appointment')
  return (
    appointment ??
    c.service(`service with the payment timing ${timing}, confirmed without the staff`, (service) =>
      isPaid(service, timing),
    )
  )
}

/** Books a service that is paid at booking or by deposit. The payment is pending. */
export async function bookPaidAhead(c: CheckContext, timing: PaymentTiming = 'at_booking', input: Members = {}) {
  const service = paidService(c, timing)
  const booked = await c.book(service, { input })
  const payment = expectMembers(booked.booking.payment, 'payment')
  return { ...booked, service, payment }
}

/** What a platform reports after the payment of a booking. */
export function paymentResult({ payment }: Members, changes: Members = {}): Members {
  const { amount_due, currency, timing } = expectMembers(payment, 'payment')
  const status = timing === 'deposit_required' ? 'deposit_paid' : 'paid'
  return { status, transaction_id: `txn_${crypto.randomUUID()}`, amount_paid: amount_due, currency, ...changes }
}

export const confirmPayment = (c: CheckContext, { id }: Members, payment_result: unknown): Promise<Answer> =>
  c.caller.call('confirmPayment', { booking_id: id, payment_result })

/** Reports the exact payment of a booking, and returns the booking. */
export async function pay(c: CheckContext, booking: Members, changes: Members = {}): Promise<Members> {
  const answer = await confirmPayment(c, booking, paymentResult(booking, changes))
  return expectMembers(answer.success().booking, 'booking')
}

export async function readBooking(c: CheckContext, { id }: Members): Promise<Members> {
  return expectMembers((await c.caller.call('getBooking', { booking_id: id })).success().booking, 'booking')
}

export async function cancelBooking(c: CheckContext, { id }: Members): Promise<Members> {
  return expectMembers((await c.caller.call('cancelBooking', { booking_id: id })).success().booking, 'booking')
}

/** An amount of money in minor units. A server may send it as a number or as decimal digits. */
export function minorUnits(value: unknown, what: string): number {
  const isAmount = Number.isInteger(value) || (typeof value === 'string' && /^-?[0-9]+$/.test(value))
  expectTrue(isAmount, `${what} to be whole minor units`, value)
  return Number(value)
}

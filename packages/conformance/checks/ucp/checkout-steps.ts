import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext, Platform } from '../../run/check-context.ts'
import { expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import { deliveryAddress } from '../../target/delivery-address.ts'
import type { Slot, SlotWish } from '../../target/free-slots.ts'
import { channelOf, isManual, isPaidAhead, policiesOf } from '../../target/service-kinds.ts'
import { UcpCaller, type UcpCallOptions } from './ucp-caller.ts'

export const TERMS = 'dev.ucp.common.payment.terms'
export const PAY_AT_SERVICE = 'services.pay_at_service'
export const needs = ['dev.ucp.shopping.checkout', 'services.paid_bookings', 'services.availability']

/** A checkout in an answer. */
export interface Checkout extends Members {
  id: string
  status: string
  booking: Members
}

/** Members of a checkout that a check adds or replaces, and members of its booking. */
export type CheckoutChanges = Members & { booking?: Members }

/** Calls the checkout as the platform of the check, or as another one. */
export const checkoutsOf = (c: CheckContext, { hosted }: Platform = c.platform): UcpCaller => new UcpCaller(c, hosted)

/** Whether the checkout of the business sells the service. */
function isSold({ target }: CheckContext, service: Members): boolean {
  const { payment_timing } = policiesOf(service)
  const hasTerms = target.capability(TERMS) !== undefined
  if (payment_timing === 'deposit_required') return hasTerms
  return payment_timing !== 'at_service' || (hasTerms && target.capability(PAY_AT_SERVICE) !== undefined)
}

/** Whether a checkout needs only a buyer, and the booking is confirmed without the staff. */
export const isPlain = (service: Members): boolean => !isManual(service) && channelOf(service) !== 'at_buyer_location'

export function soldService(c: CheckContext, description: string, fits: (service: Members) => boolean): Members {
  return c.service(`${description} that the checkout sells`, (one) => isSold(c, one) && fits(one))
}

/** An appointment without any payment before the visit. */
export const unpaidService = (c: CheckContext): Members =>
  soldService(c, 'appointment without payment ahead', (one) => {
    return one.type === 'appointment' && isPlain(one) && !isPaidAhead(one)
  })

export type Timing = 'at_booking' | 'deposit_required' | 'at_service'

/** An appointment that is paid at this time. */
export const serviceWith = (c: CheckContext, timing: Timing): Members =>
  soldService(c, `appointment with the payment timing ${timing}`, (one) => {
    return one.type === 'appointment' && isPlain(one) && policiesOf(one).payment_timing === timing
  })

/** A new platform whose profile lacks this capability. */
export function platformWithout(c: CheckContext, capability: string): Platform {
  const platform = c.newPlatform()
  for (const member of ['usp', 'ucp']) {
    const own = expectMembers(platform.hosted.document[member], member)
    const { [capability]: _, ...capabilities } = expectMembers(own.capabilities, 'capabilities')
    platform.hosted.document[member] = { ...own, capabilities }
  }
  return platform
}

/** The members that a platform sends to buy the slot. */
export function checkoutRequest(c: CheckContext, slot: Slot, { booking, ...others }: CheckoutChanges = {}): Members {
  const service = c.services.find(({ id }) => id === slot.service_id) ?? {}
  const { id, start, end, duration } = slot
  const isVisit = channelOf(service) === 'at_buyer_location'
  return {
    line_items: [{ item: { id: slot.service_id }, quantity: 1 }],
    buyer: c.buyer(),
    booking: {
      service_id: slot.service_id,
      service_type: service.type,
      slot: { id, start, end, duration },
      ...(isVisit && { delivery_address: deliveryAddress(c.target.business) }),
      ...booking,
    },
    ...others,
  }
}

interface Creation {
  platform?: Platform
  changes?: CheckoutChanges
  options?: UcpCallOptions
}

/** Asks for a checkout of the slot. A checkout that the business makes is ended after the check. */
export async function askForCheckout(
  c: CheckContext,
  slot: Slot,
  { platform = c.platform, changes = {}, options = {} }: Creation = {},
): Promise<Answer> {
  const checkouts = checkoutsOf(c, platform)
  const answer = await checkouts.call('createCheckout', { checkout: checkoutRequest(c, slot, changes) }, options)
  const id = answer.result?.id
  if (id !== undefined) c.afterwards(() => endCheckout(c, platform, id))
  return answer
}

/** Creates a checkout of a free slot. */
export async function openCheckout(
  c: CheckContext,
  service: Members = unpaidService(c),
  { changes, platform, options, ...wish }: SlotWish & Creation = {},
) {
  const slot = await c.slot(service, wish)
  const creation = { ...(changes && { changes }), ...(platform && { platform }), ...(options && { options }) }
  return { service, ...(await openCheckoutOf(c, slot, creation)) }
}

/**
 * Creates a checkout of this slot. Skips the check if the buyer must first act on a page of the business, because no
 * program can do this.
 */
export async function openCheckoutOf(c: CheckContext, slot: Slot, creation: Creation = {}) {
  const checkout = checkoutOf(await askForCheckout(c, slot, creation))
  const { id, status } = checkout
  if (status === 'requires_escalation') throw new Skip(`The buyer of ${slot.service_id} must first act on a page.`)
  expectTrue(status === 'ready_for_complete', 'a checkout that is ready_for_complete', shown(checkout))
  return { slot, checkout, id, checkouts: checkoutsOf(c, creation.platform) }
}

/**
 * Ends a checkout after its check. A business may slow down callers that release many holds without a booking, so the
 * function books if nothing is due now, and cancels the booking.
 */
async function endCheckout(c: CheckContext, platform: Platform, id: unknown): Promise<void> {
  const checkouts = checkoutsOf(c, platform)
  const { result } = await checkouts.call('getCheckout', { id })
  if (result?.status === 'canceled') return c.bookOnce(platform.caller)
  const done = result?.status === 'completed' ? result : (await checkouts.call('completeCheckout', { id })).result
  if (done?.status === 'completed') {
    await platform.caller.call('cancelBooking', { booking_id: asMembers(done.booking)?.booking_id })
    return
  }
  await checkouts.call('cancelCheckout', { id })
  await c.bookOnce(platform.caller)
}

/** The checkout in an answer, whatever its messages are. */
export function checkoutOf({ result, status, error }: Answer): Checkout {
  const found = asMembers(result)
  if (found?.id === undefined) throw new Mismatch('a checkout', error?.code ?? `HTTP ${status} ${codesIn(result)}`)
  const booking = asMembers(found.booking) ?? {}
  return { ...found, id: expectText(found.id, 'id'), status: expectText(found.status, 'status'), booking }
}

const codesIn = (result: Members | undefined): string =>
  Array.isArray(result?.messages) ? result.messages.map((message) => asMembers(message)?.code).join(', ') : ''

/** The status of a checkout and the codes of its messages. */
const shown = (checkout: Checkout): string => `${checkout.status} ${codesIn(checkout)}`

export const readCheckout = async (checkouts: UcpCaller, id: unknown): Promise<Checkout> =>
  checkoutOf(await checkouts.call('getCheckout', { id }))

/** Requires one of these error codes in the messages of an answer without a protocol error. */
export function expectMessage(answer: Answer, ...codes: string[]): void {
  const found = answer.messages.filter(({ type }) => type === 'error').map(({ code }) => String(code))
  const isFound = found.some((code) => codes.includes(code))
  expectTrue(isFound, `an error message ${codes.join(' or ')}`, found[0] ?? answer.error?.code ?? 'no error message')
}

/** Requires a protocol error about the input. UCP has the HTTP status 400 for it, and USP has 422. */
export function expectInvalid(answer: Answer): void {
  answer.failsWith('validation_error', { rest: [400, 422], mcp: -32602 })
}

/** The order of a completed checkout, as its platform reads it. */
export async function readOrder(checkouts: UcpCaller, { order }: Checkout): Promise<Members> {
  const id = expectText(expectMembers(order, 'order').id, 'order.id')
  return (await checkouts.call('getOrder', { id })).success()
}

/** The amount of a total, such as `subtotal`. Undefined if the checkout has no such total. */
export function totalOf({ totals }: Members, type: string): number | undefined {
  const found = expectList(totals, 'totals').find((one) => one.type === type)
  if (found) expectTrue(Number.isInteger(found.amount), `whole minor units in the total ${type}`, found.amount)
  return found && Number(found.amount)
}

/** The payment term that is selected, or undefined if the checkout has no terms. */
export function selectedTerm({ payment }: Members): Members | undefined {
  const { terms, selected_term_id } = asMembers(payment) ?? {}
  if (terms === undefined) return undefined
  return expectMembers(
    expectList(terms, 'payment.terms').find(({ id }) => id === selected_term_id),
    'the selected term',
  )
}

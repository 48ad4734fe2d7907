import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isRefusal } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { Charge, ReceivedPayment } from '../payments/payment-provider.ts'
import { type BookedCheckout, bookCheckout, requireSlot } from './book-completed-checkout.ts'
import { isUnsettled, charge as lifecycle } from './charge-lifecycle.ts'
import { chargeSettle, chargesOf } from './charge-queries.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { errorMessage } from './error-messages.ts'
import { checkout as checkoutLifecycle } from './lifecycle.ts'
import { chargeLock, checkoutUpdate, type LockedCharge } from './queries.ts'

export type SettleDependencies = Dependencies<'makeChange' | 'business' | 'tag' | 'clock' | 'log'>

export const paymentFailed = (content: string): Message =>
  errorMessage('payment_failed', content, '$.payment.instruments')

const NOT_TAKEN = 'The payment was not completed. Nothing was charged: try again with a new token.'
const GONE = 'The slot is not available any more. The payment goes back to the buyer.'
const UNRETURNED =
  'The payment led to no booking, and the payment provider refuses to return it. The business returns it by hand.'
const RETURNED_BY_HAND = 'The payment led to no booking. The business returned it by hand.'
const OTHER_AMOUNT = 'The payment provider took another amount than was due. The payment goes back to the buyer.'
const ERASED = 'The people of this checkout were erased. The payment goes back to the buyer.'

/**
 * Stores what the payment provider reports about a charge. If the report leads to a booking, the function returns the
 * completed checkout. A repeated report changes nothing.
 */
export async function settleCharge(
  dependencies: SettleDependencies,
  id: string,
  { status, payment }: Charge,
  problem?: Message,
): Promise<BookedCheckout | undefined> {
  if (payment) return bookOrReverse(dependencies, id, payment)
  if (status === 'requires_action') await askBuyer(dependencies, id)
  if (status === 'ended') await failCharge(dependencies, id, problem ?? paymentFailed(NOT_TAKEN))
  return undefined
}

/** Records that the buyer must confirm the payment at the bank. The slot stays reserved until the buyer's deadline. */
const askBuyer = ({ makeChange, clock }: SettleDependencies, id: string): Promise<void> =>
  makeChange(async (tx) => {
    const found = await chargeLock(tx, id)
    const status = found && lifecycle.next(found.charge.status, 'ask_buyer')
    const reached = found && checkoutLifecycle.next(found.checkout.status, 'ask_buyer')
    if (!found || !status || !reached) return
    const checkout = { ...found.checkout, status: reached, updated_at: clock() }
    await checkoutUpdate(tx, checkout, { id, status, problem: null })
  })

/**
 * Records that the payment provider takes no money for a charge. The UCP checkout is then open for another payment, and
 * its slot stays reserved.
 */
const failCharge = (dependencies: SettleDependencies, id: string, problem: Message): Promise<void> =>
  failIf(dependencies, id, problem, () => true)

/**
 * Marks a charge as failed, but only if the provider's id of the charge is not stored. If the id is stored, another
 * process may be taking the money.
 */
export const failUnpreparedCharge = (dependencies: SettleDependencies, id: string, problem: Message): Promise<void> =>
  failIf(dependencies, id, problem, ({ reference }) => reference === null)

const failIf = (
  { makeChange, clock }: SettleDependencies,
  id: string,
  problem: Message,
  condition: (charge: LockedCharge['charge']) => boolean,
): Promise<void> =>
  makeChange(async (tx) => {
    const found = await chargeLock(tx, id)
    if (!found || !['intended', 'requires_action'].includes(found.charge.status) || !condition(found.charge)) return
    await chargeSettle(tx, { id, status: lifecycle.after(found.charge.status, 'fail'), problem }, clock())
    await continueCheckout(tx, found.checkout, clock())
  })

/**
 * Makes the booking after the provider has received the money. If no booking is possible, or if the payment is too low
 * or in another currency, the server returns the money. If the buyer paid too much, the server returns the excess.
 */
async function bookOrReverse(
  dependencies: SettleDependencies,
  id: string,
  payment: ReceivedPayment,
): Promise<BookedCheckout | undefined> {
  const { makeChange } = dependencies
  try {
    return await makeChange((tx) => bookCharged(dependencies, tx, id, payment))
  } catch (error) {
    if (!isRefusal(error)) throw error
    await makeChange(async (tx) => {
      const found = await chargeLock(tx, id)
      if (found) await beginReversal(tx, found, { payment, problem: paymentGone() }, dependencies.clock())
    })
    return undefined
  }
}

async function bookCharged(
  { business, tag, clock, log }: SettleDependencies,
  tx: UnitOfWork,
  id: string,
  payment: ReceivedPayment,
): Promise<BookedCheckout | undefined> {
  const now = clock()
  const found = await chargeLock(tx, id)
  if (!found) return undefined
  const { charge, checkout } = found
  const isOpen = charge.status === 'intended' || charge.status === 'requires_action'
  if (!isOpen && charge.status !== 'failed') return undefined
  if (isOpen && (payment.amount !== charge.amount || payment.currency !== charge.currency))
    log.error(differenceOf(charge, payment), 'The provider took another amount.')
  const problem = whyNotBookable(found, payment)
  if (problem) return beginReversal(tx, found, { payment, problem }, now)
  const bookable = await requireSlot({ db: tx, business, tag, now }, checkout)
  const { actor, provider } = charge
  const { amount, currency, reference } = payment
  const received = { amount, currency, provider, reference }
  const status = lifecycle.after(charge.status, 'book')
  const settlement = { id, status, problem: null }
  const booked = await bookCheckout(tx, checkout, { ...bookable, actor, received, settlement }, now)
  if (amount > charge.amount) insertAuditEntry(tx, auditOf({ ...charge, amount: amount - charge.amount }, status), now)
  return booked
}

function whyNotBookable(
  { charge, checkout }: LockedCharge,
  { amount, currency }: ReceivedPayment,
): Message | undefined {
  if (charge.status === 'failed' || checkoutLifecycle.next(checkout.status, 'complete') === undefined)
    return paymentGone()
  if (!checkout.people) return errorMessage('missing', ERASED, '$.buyer')
  return currency !== charge.currency || amount < charge.amount ? paymentFailed(OTHER_AMOUNT) : undefined
}

const differenceOf = ({ id, order_id, amount, currency }: LockedCharge['charge'], received: ReceivedPayment) => ({
  charge: id,
  order: order_id,
  due: { amount, currency },
  received: { amount: received.amount, currency: received.currency },
})

/** Begins to return a payment. The charge then contains the received amount, so that the server returns all of it. */
async function beginReversal(
  tx: UnitOfWork,
  { charge }: LockedCharge,
  { payment, problem }: { payment: ReceivedPayment; problem: Message },
  now: Date,
): Promise<undefined> {
  const status = lifecycle.next(charge.status, 'reverse')
  if (!status) return
  const { amount, currency } = payment
  await chargeSettle(tx, { id: charge.id, status, problem, received: { amount, currency } }, now)
  insertAuditEntry(tx, auditOf({ ...charge, amount }, status), now)
}

const paymentGone = () => errorMessage('slot_unavailable', GONE, '$.booking.slot')

/**
 * Records whether the payment provider has returned the money of a charge. If the provider refuses, the staff must
 * return the money, and the inbox of the desk lists the charge.
 */
export async function endReversal(
  { makeChange, clock, log }: SettleDependencies,
  id: string,
  end: { step: 'return' } | { step: 'refuse_return'; reason: string },
): Promise<void> {
  const left = await makeChange(async (tx) => {
    const found = await chargeLock(tx, id)
    const status = found && lifecycle.next(found.charge.status, end.step)
    // The provider may report a refused refund again after the staff returned the money.
    if (!found || !status || found.charge.returned_by_hand) return undefined
    const { charge, checkout } = found
    const now = clock()
    const problem = end.step === 'return' || !charge.problem ? charge.problem : { ...charge.problem, ...unreturned }
    await chargeSettle(tx, { id, status, problem }, now)
    insertAuditEntry(tx, auditOf(charge, status), now)
    await continueCheckout(tx, checkout, now)
    return charge
  })
  if (left && end.step === 'refuse_return')
    log.error(
      { charge: id, order: left.order_id, reason: end.reason },
      'The provider refuses to return a charge without a booking: return it by hand.',
    )
}

/**
 * Records that the staff returned the money of a charge, after the provider had refused to return it. Returns false if
 * no such charge waits for the staff.
 */
export async function returnByHand(
  tx: UnitOfWork,
  { id, actor }: { id: string; actor: string },
  now: Date,
): Promise<boolean> {
  const found = await chargeLock(tx, id)
  const status = found && lifecycle.next(found.charge.status, 'return_by_hand')
  if (!found || !status) return false
  const { charge } = found
  const problem = charge.problem && { ...charge.problem, content: RETURNED_BY_HAND }
  await chargeSettle(tx, { id, status, problem, returned_by_hand: true }, now)
  insertAuditEntry(tx, { ...auditOf(charge, status), actor, action: 'return_by_hand' }, now)
  return true
}

const auditOf = ({ checkout_id, order_id, id, status: from, amount }: LockedCharge['charge'], to: string) => ({
  actor: 'system',
  action: 'return_payment',
  subject: `checkout ${checkout_id}`,
  from,
  to,
  detail: omitUndefined({ order: order_id, charge: id, amount }),
})

const unreturned = { content: UNRETURNED, severity: 'unrecoverable' as const }

/**
 * Changes the status of a UCP checkout after one of its charges ended without a booking. If other charges are still
 * open, the checkout waits for them. If the provider refused to return money, the server cancels the checkout, so that
 * the buyer does not pay twice. Otherwise, the checkout is open for another payment. In both cases, the slot stays
 * reserved until its hold ends, because a failed payment never releases a hold.
 */
async function continueCheckout(tx: UnitOfWork, checkout: CheckoutRow, now: Date): Promise<void> {
  const statuses = (await chargesOf(tx, checkout.id)).map(({ status }) => status)
  if (statuses.some(isUnsettled)) return
  const step = statuses.includes('unreturned') ? 'abandon' : 'give_back'
  const status = checkoutLifecycle.next(checkout.status, step)
  if (!status) return
  await checkoutUpdate(tx, { ...checkout, status, updated_at: now })
}

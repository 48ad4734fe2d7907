import type { Database } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { type Charge, type Provider, ProviderError } from '../payments/payment-provider.ts'
import type { BookedCheckout } from './book-completed-checkout.ts'
import { buyersDeadline } from './charge-lifecycle.ts'
import { type ChargeRow, chargeFind, chargeReferenceSet } from './charge-queries.ts'
import type { PaymentToken } from './selected-payment-token.ts'
import {
  endReversal,
  failUnpreparedCharge,
  paymentFailed,
  type SettleDependencies,
  settleCharge,
} from './settle-charge.ts'

export type ChargeDependencies = SettleDependencies & { db: Database }

const DECLINED = 'The payment provider refuses this token for this amount. It may be expired, revoked or limited.'
const REFUSED = 'The payment provider refuses this payment. Nothing was charged. The business must check its account.'
const UNANSWERED = 'The payment provider does not answer at present. Nothing was charged.'

/**
 * Takes the money of a new charge. Returns the completed checkout, or undefined if there is no booking. If this process
 * dies or the payment provider does not answer, the stored charge stays open. `resumeCharge` then settles the charge
 * later.
 */
export async function carryOutCharge(
  dependencies: ChargeDependencies & Dependencies<'log'>,
  provider: Provider,
  { charge, token, name, returnUrl }: { charge: ChargeRow; token: PaymentToken; name: string; returnUrl: string },
): Promise<BookedCheckout | undefined> {
  const { id, order_id: orderId, booking_id: bookingId, amount, currency } = charge
  const wish = { id, orderId, bookingId, amount, currency, instrument: token.instrument, description: name }
  const reference = await provider.prepareCharge(wish).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    if (error.isFinal)
      dependencies.log.error({ err: error, charge: id, order: orderId }, 'The provider refuses a charge.')
    return error
  })
  // The server stores the provider's id of the charge before it requests the money. Therefore a charge without a stored
  // id has taken no money.
  if (reference instanceof ProviderError) {
    const why = reference.isFinal ? (reference.forBuyer ?? REFUSED) : UNANSWERED
    await failUnpreparedCharge(dependencies, id, paymentFailed(why))
    return undefined
  }
  if (!(await chargeReferenceSet(dependencies.db, id, reference))) return undefined
  try {
    const taken = await provider.confirmCharge({ id, reference, token: token.id, returnUrl })
    const isClear = taken.payment !== undefined || taken.status === 'requires_action'
    const booked = await settleCharge(dependencies, id, isClear ? taken : await provider.cancelCharge(reference))
    if (booked) return booked
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.isFinal)
      await endDeclined({ dependencies, provider, id, reference }, paymentFailed(error.forBuyer ?? DECLINED))
  }
  await returnMoney(dependencies, provider, id)
  return undefined
}

interface Declined {
  dependencies: ChargeDependencies
  provider: Provider
  id: string
  reference: string
}

/**
 * Cancels a charge that the payment provider declined. After the cancellation, the provider can no longer take money
 * for the charge.
 */
async function endDeclined({ dependencies, provider, id, reference }: Declined, problem: Message): Promise<void> {
  const ended = await unlessUnanswered(() => provider.cancelCharge(reference))
  if (ended) await settleCharge(dependencies, id, ended, problem)
}

/**
 * Continues a charge after its process has died, or while it waits for the buyer. In the end, every charge leads to a
 * booking or ends without a booking.
 */
export async function resumeCharge(
  dependencies: ChargeDependencies,
  provider: Provider,
  charge: ChargeRow,
): Promise<void> {
  const { id, reference, status, created_at } = charge
  if (status === 'reversing') return returnMoney(dependencies, provider, id)
  if (reference === null) return failUnpreparedCharge(dependencies, id, paymentFailed(UNANSWERED))
  const isBuyersTurn = status === 'requires_action' && dependencies.clock() < buyersDeadline(created_at)
  const found = isBuyersTurn ? await unlessUnanswered(() => provider.readCharge(reference)) : undefined
  const isWaiting = isBuyersTurn && (found === undefined || found.status === 'requires_action')
  const ended = isWaiting || found?.payment ? found : await unlessUnanswered(() => provider.cancelCharge(reference))
  if (ended && !isWaiting) await settleCharge(dependencies, id, ended)
  await returnMoney(dependencies, provider, id)
}

const REVERSAL = '_reversal'

/**
 * Returns the id of the refund that returns the money of a charge. This id must differ from the id of the charge,
 * because the provider accepts each id only once.
 */
const reversalId = (chargeId: string): string => chargeId + REVERSAL

/**
 * Returns the id of the charge whose money this refund returns. The result is undefined if the refund belongs to a
 * booking.
 */
export const chargeOfReversal = (refundId: string): string | undefined =>
  refundId.endsWith(REVERSAL) ? refundId.slice(0, -REVERSAL.length) : undefined

/** Refunds the money of a charge that led to no booking. */
async function returnMoney(dependencies: ChargeDependencies, provider: Provider, id: string): Promise<void> {
  const charge = await chargeFind(dependencies.db, id)
  if (charge?.status !== 'reversing' || charge.reference === null) return
  const { reference: receipt, booking_id: bookingId, amount, currency } = charge
  try {
    await provider.refund({ id: reversalId(id), receipt, bookingId, amount, currency, isRetry: true })
    await endReversal(dependencies, id, { step: 'return' })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.isFinal) await endReversal(dependencies, id, { step: 'refuse_return', reason: error.message })
  }
}

/** Calls the payment provider about a charge. Returns undefined if the provider does not respond. */
export const unlessUnanswered = (ask: () => Promise<Charge>): Promise<Charge | undefined> =>
  ask().catch((error: unknown) => {
    if (error instanceof ProviderError && !error.isFinal) return undefined
    throw error
  })

import type { Providers } from '../payments/find-payment-provider.ts'
import type { Provider } from '../payments/payment-provider.ts'
import { type ChargeDependencies, resumeCharge, unlessUnanswered } from './carry-out-charge.ts'
import { type ChargeRow, chargesOf } from './charge-queries.ts'
import { settleCharge } from './settle-charge.ts'

type Dependencies = ChargeDependencies & { payments: Providers }

/**
 * Finds the charge of a UCP checkout that waits until the buyer confirms the payment at the bank. The result is
 * undefined if no charge waits for the buyer.
 */
async function waitingCharge(
  { db, payments }: Dependencies,
  checkoutId: string,
): Promise<{ charge: ChargeRow & { reference: string }; provider: Provider } | undefined> {
  const charge = (await chargesOf(db, checkoutId)).find(({ status }) => status === 'requires_action')
  const provider = charge && (await payments.find(charge.provider))
  if (!charge || !provider || charge.reference === null) return undefined
  return { charge: { ...charge, reference: charge.reference }, provider }
}

/**
 * Asks the payment provider about a charge that waits for the buyer. The buyer may return to the page before the
 * provider's notification arrives. If the bank still waits for the buyer, the function returns the URL of the bank's
 * page. If the provider does not answer, the charge stays unchanged.
 */
export async function refreshCharge(dependencies: Dependencies, checkoutId: string): Promise<string | undefined> {
  const waiting = await waitingCharge(dependencies, checkoutId)
  if (!waiting) return undefined
  const { charge, provider } = waiting
  const found = await unlessUnanswered(() => provider.readCharge(charge.reference))
  if (found && found.url === undefined) await resumeCharge(dependencies, provider, charge)
  return found?.url
}

/**
 * Ends a charge that waits for the buyer, because the platform cancels the UCP checkout. If the buyer has already paid,
 * the server makes the booking. If the provider does not answer, the charge stays unchanged.
 */
export async function endWaitingCharge(dependencies: Dependencies, checkoutId: string): Promise<void> {
  const waiting = await waitingCharge(dependencies, checkoutId)
  if (!waiting) return
  const { charge, provider } = waiting
  const ended = await unlessUnanswered(() => provider.cancelCharge(charge.reference))
  if (ended) await settleCharge(dependencies, charge.id, ended)
}

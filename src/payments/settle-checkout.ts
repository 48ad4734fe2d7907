import type { Runtime } from '../runtime.ts'
import type { Checkout } from './provider.ts'
import { type CheckoutRow, checkoutEnd } from './queries.ts'
import { receive } from './receive.ts'

/** Writes down what became of a checkout, whoever told first: the provider, the buyer coming back, or our asking. */
export async function settleCheckout(
  runtime: Pick<Runtime, 'makeChange' | 'clock'>,
  row: CheckoutRow,
  { status, reference, payment }: Checkout,
): Promise<void> {
  if (status === 'open') return
  await runtime.makeChange(async (tx) => {
    if (payment) await receive(tx, { ...row, reference }, payment, runtime.clock())
    await checkoutEnd(tx, row.id, status)
  })
}

import type { Checkout } from '../payments/provider.ts'
import { type CheckoutRow, checkoutEnd } from '../payments/queries.ts'
import type { Means } from '../protocol/means.ts'
import { receivePayment } from './receive-payment.ts'

/** Writes down what became of a checkout, whoever told first: the provider, the buyer coming back, or our asking. */
export async function recordCheckoutResult(
  means: Means<'makeChange' | 'clock'>,
  row: CheckoutRow,
  { status, reference, payment }: Checkout,
): Promise<void> {
  if (status === 'open') return
  await means.makeChange(async (tx) => {
    if (payment) await receivePayment(tx, { ...row, reference }, payment, means.clock())
    await checkoutEnd(tx, row.id, status)
  })
}

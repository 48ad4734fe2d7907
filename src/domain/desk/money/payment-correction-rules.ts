import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { PaymentRead } from '../../payments/queries.ts'

export type CorrectedPayment = Pick<PaymentRead, 'amount' | 'tip' | 'kind'> & { transaction_id?: string }

/**
 * Whether the staff can correct a payment. They can correct only payments that they entered themselves. A payment that
 * was already corrected or refunded, and a correction itself, cannot be corrected.
 */
export const isCorrectable = (one: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]): boolean =>
  whyNot(one, all) === undefined

type Entered = Pick<PaymentRead, 'id' | 'source' | 'reverses' | 'refunds'>

export function refuseUncorrectable(one: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]): void {
  const why = whyNot(one, all)
  if (why) throw new BusinessRefusal('invalid_transition', why, '$.payment_id')
}

function whyNot({ id, source, reverses, refunds }: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]) {
  if (source !== 'staff')
    return 'Only payments that the staff entered can be corrected. The provider or platform reports this one.'
  if (reverses !== null) return 'This entry takes back a corrected payment. Correct the payment that replaced it.'
  if (all.some((one) => one.reverses === id))
    return 'This payment was already corrected. Correct the one that replaced it.'
  return refunds.length > 0 ? 'This payment was partly refunded, so it cannot be corrected.' : undefined
}

export const isUnchanged = (was: PaymentRead, is: CorrectedPayment): boolean =>
  was.amount === is.amount &&
  was.tip === is.tip &&
  was.kind === is.kind &&
  was.reference === (is.transaction_id ?? null)

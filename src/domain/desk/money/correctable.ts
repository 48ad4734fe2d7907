import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { PaymentRead } from '../../payments/queries.ts'

export type CorrectedPayment = Pick<PaymentRead, 'amount' | 'tip' | 'kind'> & { transaction_id?: string }

/** Whether the staff entered it, and it is no reversal, not reversed and not refunded. */
export const isCorrectable = (one: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]): boolean =>
  whyNot(one, all) === undefined

type Entered = Pick<PaymentRead, 'id' | 'source' | 'reverses' | 'refunds'>

export function refuseUncorrectable(one: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]): void {
  const why = whyNot(one, all)
  if (why) throw new BusinessRefusal('invalid_transition', why, '$.payment_id')
}

function whyNot({ id, source, reverses, refunds }: Entered, all: readonly Pick<PaymentRead, 'reverses'>[]) {
  if (source !== 'staff') return 'Only what the staff entered can be corrected: whoever took this payment reports it.'
  if (reverses !== null) return 'This takes back a payment that was corrected. Correct the one that came in its place.'
  if (all.some((one) => one.reverses === id)) return 'It was corrected already. Correct the one that came in its place.'
  return refunds.length > 0 ? 'Some of it went back already, so that it stays as it is.' : undefined
}

export const isUnchanged = (was: PaymentRead, is: CorrectedPayment): boolean =>
  was.amount === is.amount &&
  was.tip === is.tip &&
  was.kind === is.kind &&
  was.reference === (is.transaction_id ?? null)

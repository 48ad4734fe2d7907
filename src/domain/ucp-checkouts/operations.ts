import type { Operation } from '../../protocol/define-operation.ts'
import { cancelCheckout } from './cancel-checkout.ts'
import { completeCheckout } from './complete-checkout.ts'
import { createCheckout } from './create-checkout.ts'
import { getCheckout } from './get-checkout.ts'
import { getOrder } from './get-order.ts'
import { updateCheckout } from './update-checkout.ts'

/**
 * The operations of UCP (Universal Commerce Protocol). They have their own interface, separate from the operations of
 * USP (Universal Scheduling Protocol).
 */
export const ucpOperations: Operation[] = [
  createCheckout,
  getCheckout,
  updateCheckout,
  completeCheckout,
  cancelCheckout,
  getOrder,
]

import { stateMachine } from '../../protocol/state-machine.ts'

export type CheckoutStatus = 'open' | 'completing' | 'escalated' | 'completed' | 'canceled'
type Step = 'begin' | 'ask_buyer' | 'give_back' | 'abandon' | 'complete' | 'cancel'

/**
 * The stored statuses of a UCP checkout, and the steps between the statuses. For the stored status `open`, platforms
 * see one of several statuses, depending on faults and open tasks.
 */
export const checkout = stateMachine<CheckoutStatus, Step>('UCP checkout', {
  open: { begin: 'completing', complete: 'completed', cancel: 'canceled', abandon: 'canceled' },
  // The step `abandon` follows if the provider took the money, no booking is possible, and the provider refuses to
  // return the money.
  completing: { ask_buyer: 'escalated', complete: 'completed', give_back: 'open', abandon: 'canceled' },
  // In the status `escalated`, the bank waits for the buyer to confirm the payment.
  escalated: { complete: 'completed', give_back: 'open', abandon: 'canceled' },
  completed: {},
  canceled: {},
})

import { stateMachine } from '../../protocol/state-machine.ts'

export type CheckoutStatus = 'open' | 'completing' | 'escalated' | 'completed' | 'canceled'
type Step = 'begin' | 'ask_buyer' | 'give_back' | 'abandon' | 'complete' | 'cancel'

/** The stored statuses of a UCP checkout. Answers split the status `open` further, by open faults and tasks. */
export const checkout = stateMachine<CheckoutStatus, Step>('UCP checkout', {
  open: { begin: 'completing', complete: 'completed', cancel: 'canceled' },
  // The server abandons a checkout if the provider took the money, no booking could be made, and the money cannot go back.
  completing: { ask_buyer: 'escalated', complete: 'completed', give_back: 'open', abandon: 'canceled' },
  // The bank asks the buyer to confirm the payment.
  escalated: { complete: 'completed', give_back: 'open', abandon: 'canceled' },
  completed: {},
  canceled: {},
})

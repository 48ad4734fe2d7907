import { deadlineAt, MINUTE } from '../../infra/time/time-units.ts'
import { stateMachine } from '../../protocol/state-machine.ts'

export type ChargeStatus =
  | 'intended'
  | 'requires_action'
  | 'booked'
  | 'failed'
  | 'reversing'
  | 'reversed'
  | 'unreturned'
/** The slot stays reserved for this number of minutes while the result of a charge is unknown. */
export const CHARGE_MINUTES = 15

/** Returns the time until which the buyer can confirm the payment at the bank. */
export const buyersDeadline = (begun: Date): Date => deadlineAt(begun.getTime() + CHARGE_MINUTES * MINUTE)

type Step = 'ask_buyer' | 'book' | 'fail' | 'reverse' | 'return' | 'refuse_return' | 'return_by_hand'

/**
 * The states of a charge for a UCP checkout, and the steps between the states. In the state `failed`, the provider has
 * taken no money. If the money arrives later, the server returns it.
 */
export const charge = stateMachine<ChargeStatus, Step>('UCP charge', {
  intended: { ask_buyer: 'requires_action', book: 'booked', fail: 'failed', reverse: 'reversing' },
  requires_action: { book: 'booked', fail: 'failed', reverse: 'reversing' },
  booked: {},
  failed: { reverse: 'reversing' },
  reversing: { return: 'reversed', refuse_return: 'unreturned' },
  reversed: { refuse_return: 'unreturned' },
  unreturned: { return_by_hand: 'reversed' },
})

export const isUnsettled = (status: ChargeStatus): boolean =>
  status === 'intended' || status === 'requires_action' || status === 'reversing'

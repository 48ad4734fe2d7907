import { stateMachine } from '../../protocol/state-machine.ts'

export type ChargeStatus =
  | 'intended'
  | 'requires_action'
  | 'booked'
  | 'failed'
  | 'reversing'
  | 'reversed'
  | 'unreturned'
/** While it is open whether a charge succeeds, its slot stays reserved for this many minutes. */
export const CHARGE_MINUTES = 15

type Step = 'ask_buyer' | 'book' | 'fail' | 'reverse' | 'return' | 'refuse_return'

/**
 * The states of a UCP charge and the steps between them. A failed charge took no money. If money arrives later, the
 * server returns it.
 */
export const charge = stateMachine<ChargeStatus, Step>('UCP charge', {
  intended: { ask_buyer: 'requires_action', book: 'booked', fail: 'failed', reverse: 'reversing' },
  requires_action: { book: 'booked', fail: 'failed', reverse: 'reversing' },
  booked: {},
  failed: { reverse: 'reversing' },
  reversing: { return: 'reversed', refuse_return: 'unreturned' },
  reversed: { refuse_return: 'unreturned' },
  unreturned: {},
})

export const isUnsettled = (status: ChargeStatus): boolean =>
  status === 'intended' || status === 'requires_action' || status === 'reversing'

import { BusinessRefusal } from '../../protocol/errors.ts'
import { stateMachine } from '../../protocol/state-machine.ts'

export type Status = 'active' | 'paused' | 'canceled'
export type SubscriptionStep = 'pause' | 'resume' | 'cancel'

/**
 * The states of a subscription to catalogue changes, and the steps that change the state: pause, resume and cancel. A
 * repeated step changes nothing.
 */
export const subscription = stateMachine<Status, SubscriptionStep>('subscription', {
  active: { pause: 'paused', resume: 'active', cancel: 'canceled' },
  paused: { pause: 'paused', resume: 'active', cancel: 'canceled' },
  canceled: { cancel: 'canceled' },
})

export function next(status: Status, move: SubscriptionStep): Status {
  const after = subscription.next(status, move)
  if (after === undefined)
    throw new BusinessRefusal('invalid_transition', 'The subscription is canceled for good. Subscribe again instead.')
  return after
}

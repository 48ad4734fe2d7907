import { defineOperation } from '../protocol/operation.ts'
import type { CancelFeedSubscription } from '../protocol/types.generated.ts'
import { moveSubscription } from './move-subscription.ts'
import { byId, subscription } from './subscription.ts'

export const cancelFeedSubscription = defineOperation<CancelFeedSubscription>({
  id: 'cancelFeedSubscription',
  rest: 'DELETE /services/feed/subscriptions/{subscription_id}',
  tool: 'usp_services_feed_unsubscribe',
  title: 'Unsubscribe',
  description: 'Ends a catalogue subscription for good. To go on later, subscribe anew.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'privileged_platform',
  effect: 'remove',
  input: byId,
  output: subscription,
  summary: ({ subscription: { id, status } }) => `Subscription ${id} is ${status}.`,
  async handle({ input, caller, db }) {
    return { subscription: await moveSubscription(db, input.subscription_id, caller, 'cancel') }
  },
})

import { defineOperation } from '../protocol/operation.ts'
import type { PauseFeedSubscription } from '../protocol/types.generated.ts'
import { moveSubscription } from './move-subscription.ts'
import { byId, subscription } from './subscription.ts'

export const pauseFeedSubscription = defineOperation<PauseFeedSubscription>({
  id: 'pauseFeedSubscription',
  rest: 'POST /services/feed/subscriptions/{subscription_id}/pause',
  tool: 'usp_services_feed_subscription_pause',
  title: 'Pause a subscription',
  description: 'Stops the sending of catalogue changes for now. What changes meanwhile is sent after it is resumed.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'privileged_platform',
  effect: 'update',
  input: byId,
  output: subscription,
  summary: ({ subscription: { id, status } }) => `Subscription ${id} is ${status}.`,
  async handle({ input, caller, db }) {
    return { subscription: await moveSubscription(db, input.subscription_id, caller, 'pause') }
  },
})

import { defineOperation } from '../protocol/operation.ts'
import type { GetFeedSubscription } from '../protocol/types.generated.ts'
import { requireSubscription } from './move-subscription.ts'
import { subscriptionOf } from './queries.ts'
import { byId, subscription } from './subscription.ts'

export const getFeedSubscription = defineOperation<GetFeedSubscription>({
  id: 'getFeedSubscription',
  rest: 'GET /services/feed/subscriptions/{subscription_id}',
  tool: 'usp_services_feed_subscription_get',
  title: 'Get a subscription',
  description: 'Returns a catalogue subscription of the caller and its status.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'privileged_platform',
  effect: 'read',
  input: byId,
  output: subscription,
  summary: ({ subscription: { id, status } }) => `Subscription ${id} is ${status}.`,
  async handle({ input, caller, db }) {
    return { subscription: requireSubscription(await subscriptionOf(db, input.subscription_id, caller)) }
  },
})

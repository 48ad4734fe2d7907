import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { GetFeedSubscription } from '../../protocol/types.generated.ts'
import { requireSubscription } from './change-subscription-status.ts'
import { subscriptionFind } from './queries.ts'
import { onSubscription, toSubscription } from './subscription-response.ts'

export const getFeedSubscription = defineOperation<GetFeedSubscription>({
  ...onSubscription,
  id: 'getFeedSubscription',
  rest: 'GET /services/feed/subscriptions/{subscription_id}',
  tool: 'usp_services_feed_subscription_get',
  title: 'Get a subscription',
  description: 'Returns a catalogue subscription of the caller and its status.',
  effect: 'read',
  async handle(context) {
    const { input, caller, db } = context
    const found = requireSubscription(await subscriptionFind(db, input.subscription_id, caller))
    return { subscription: toSubscription(found, await zoneOf(context)) }
  },
})

import { defineOperation } from '../../protocol/define-operation.ts'
import type { CancelFeedSubscription } from '../../protocol/types.generated.ts'
import { moveSubscription } from './change-subscription-status.ts'
import { onSubscription } from './subscription-response.ts'

export const cancelFeedSubscription = defineOperation<CancelFeedSubscription>({
  ...onSubscription,
  id: 'cancelFeedSubscription',
  rest: 'DELETE /services/feed/subscriptions/{subscription_id}',
  tool: 'usp_services_feed_unsubscribe',
  title: 'Unsubscribe',
  description: 'Ends a catalogue subscription permanently.',
  effect: 'remove',
  handle: (context) => moveSubscription(context, 'cancel'),
})

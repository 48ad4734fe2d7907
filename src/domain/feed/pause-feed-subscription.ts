import { defineOperation } from '../../protocol/define-operation.ts'
import type { PauseFeedSubscription } from '../../protocol/types.generated.ts'
import { moveSubscription } from './change-subscription-status.ts'
import { onSubscription } from './subscription-response.ts'

export const pauseFeedSubscription = defineOperation<PauseFeedSubscription>({
  ...onSubscription,
  id: 'pauseFeedSubscription',
  rest: 'POST /services/feed/subscriptions/{subscription_id}/pause',
  tool: 'usp_services_feed_subscription_pause',
  title: 'Pause a subscription',
  description: 'Pauses the sending of catalogue changes. Changes made meanwhile are sent after it is resumed.',
  effect: 'update',
  handle: (context) => moveSubscription(context, 'pause'),
})

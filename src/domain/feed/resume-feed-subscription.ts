import { defineOperation } from '../../protocol/define-operation.ts'
import type { ResumeFeedSubscription } from '../../protocol/types.generated.ts'
import { moveSubscription } from './change-subscription-status.ts'
import { onSubscription } from './subscription-response.ts'

export const resumeFeedSubscription = defineOperation<ResumeFeedSubscription>({
  ...onSubscription,
  id: 'resumeFeedSubscription',
  rest: 'POST /services/feed/subscriptions/{subscription_id}/resume',
  tool: 'usp_services_feed_subscription_resume',
  title: 'Resume a subscription',
  description: 'Resumes the sending of catalogue changes from where the subscription was paused.',
  effect: 'update',
  handle: (context) => moveSubscription(context, 'resume'),
})

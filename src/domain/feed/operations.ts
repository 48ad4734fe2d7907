import type { Operation } from '../../protocol/define-operation.ts'
import { cancelFeedSubscription } from './cancel-feed-subscription.ts'
import { createFeedSubscription } from './create-feed-subscription.ts'
import { getFeedSubscription } from './get-feed-subscription.ts'
import { pauseFeedSubscription } from './pause-feed-subscription.ts'
import { resumeFeedSubscription } from './resume-feed-subscription.ts'

export const operations: Operation[] = [
  createFeedSubscription,
  getFeedSubscription,
  pauseFeedSubscription,
  resumeFeedSubscription,
  cancelFeedSubscription,
]

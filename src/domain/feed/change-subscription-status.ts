import { zoneOf } from '../../core/business/definition-facts.ts'
import type { Context } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { next, type Status, type SubscriptionStep } from './lifecycle.ts'
import { type Subscription, subscriptionLock, subscriptionSetStatus } from './queries.ts'
import { toSubscription } from './subscription-response.ts'

export async function moveSubscription(context: Context<{ subscription_id: string }>, move: SubscriptionStep) {
  const { db, input, caller, now } = context
  const found = requireSubscription(await subscriptionLock(db, input.subscription_id, caller))
  const moved = await subscriptionSetStatus(db, found, next(found.status as Status, move), now)
  return { subscription: toSubscription(moved, await zoneOf(context)) }
}

/**
 * Throws an error if the caller has no feed subscription with the requested id. The error does not reveal whether
 * another caller has a subscription with the same id.
 */
export function requireSubscription(found: Subscription | undefined): Subscription {
  if (!found) throw new ProtocolError('subscription_not_found', 'You have no such subscription.')
  return found
}

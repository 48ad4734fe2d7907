import type { Database } from '../db/database.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Caller } from '../protocol/operation.ts'
import type { FeedSubscription } from '../protocol/types.generated.ts'
import { type Move, next } from './lifecycle.ts'
import { subscriptionLock, subscriptionSetStatus } from './queries.ts'

/** Moves a subscription of the caller to its next status. */
export async function moveSubscription(
  db: Database,
  id: string,
  caller: Caller,
  move: Move,
): Promise<FeedSubscription> {
  const { status } = requireSubscription(await subscriptionLock(db, id, caller))
  return subscriptionSetStatus(db, id, next(status, move))
}

/** Somebody else's subscription is answered like one that never was. */
export function requireSubscription(found: FeedSubscription | undefined): FeedSubscription {
  if (!found) throw new ProtocolError('subscription_not_found', 'There is no such subscription of yours.')
  return found
}

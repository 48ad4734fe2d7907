import type { BatchedTask } from '../../../protocol/change-in-batches.ts'
import { deliveriesGivenUpSince, deliveriesReplay } from './delivery-queries.ts'

/**
 * Queues deliveries again that were given up since a moment. It works in small batches, because there may be a week of
 * events.
 */
export const replayGivenUp = (
  { since, receiver }: { since: Date; receiver: string | undefined },
  now: Date,
): BatchedTask => ({
  next: (tx, most, after) => deliveriesGivenUpSince(tx, { since, receiver, after }, most),
  work: (tx, ids) => deliveriesReplay(tx, ids, now),
})

import type { Steps } from '../../../protocol/in-short-changes.ts'
import { deliveriesLost, deliveriesReplay } from './delivery-queries.ts'

/**
 * Queues deliveries again that were given up since a moment. It works in small batches, because there may be a week of
 * events.
 */
export const replayLost = ({ since, receiver }: { since: Date; receiver: string | undefined }, now: Date): Steps => ({
  next: (tx, most, after) => deliveriesLost(tx, { since, receiver, after }, most),
  work: (tx, ids) => deliveriesReplay(tx, ids, now),
})

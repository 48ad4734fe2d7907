import type { Steps } from '../../../protocol/in-short-changes.ts'
import { deliveriesLost, deliveriesReplay } from './delivery-queries.ts'

/** Sends again what was given up since a moment: a few at a time, for there may be as many as there were events in a week. */
export const replayLost = ({ since, receiver }: { since: Date; receiver: string | undefined }, now: Date): Steps => ({
  next: (tx, most, after) => deliveriesLost(tx, { since, receiver, after }, most),
  work: (tx, ids) => deliveriesReplay(tx, ids, now),
})

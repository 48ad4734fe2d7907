import type { Change } from '../db/change.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { FREE_RELEASES, MOST_HOLDS } from './limits.ts'

/** Who holds, and from where. */
interface HoldOwner {
  principal: string
  address: string
}

/** Demands that the caller has few live holds on the service, and has not released too many without a booking. */
export function demandFewHolds(tx: Change, { principal, address }: HoldOwner, serviceId: string, now: Date): void {
  const { principal: free, address: freeNearby } = FREE_RELEASES
  tx.demand({
    name: 'may_hold',
    values: [principal, address, serviceId, now, MOST_HOLDS, free, freeNearby],
    refusal: (said) => tooMany(JSON.parse(said), now),
  })
}

function tooMany({ live, until }: { live?: number; until: string }, now: Date): ProtocolError {
  const message =
    live === undefined
      ? 'Too many holds were released without a booking.'
      : `You have ${live} live holds on this service. Book or release one of them.`
  const retryAfter = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return new ProtocolError('hold_limit_exceeded', message, { retryAfter })
}

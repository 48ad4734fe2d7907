import type { Change } from '../db/change.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { FREE_RELEASES, MOST_HOLDS } from './limits.ts'

/** Who holds, and from where. */
interface Holder {
  principal: string
  address: string
}

/** A few live holds on a service, and no endless taking and giving back. */
export function demandFewHolds(tx: Change, { principal, address }: Holder, serviceId: string, now: Date): void {
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

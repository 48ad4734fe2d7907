import type { Database } from '../db/database.ts'
import { demandLater } from '../db/later.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { FREE_RELEASES, MOST_HOLDS } from './limits.ts'

/** Who holds, and from where. */
interface Holder {
  principal: string
  address: string
}

/** A few live holds on a service, and no endless taking and giving back. */
export async function demandFewHolds(
  tx: Database,
  { principal, address }: Holder,
  serviceId: string,
  now: Date,
): Promise<void> {
  const { principal: free, address: freeNearby } = FREE_RELEASES
  await demandLater(tx, {
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

import type { Database } from '../db/database.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { waitAfter } from './back-off.ts'
import { holdUse } from './hold-queries.ts'
import { FREE_RELEASES, MOST_HOLDS } from './limits.ts'

/** Who holds, and from where. */
interface Holder {
  principal: string
  address: string
}

/** A few live holds on a service, and no endless taking and giving back. */
export async function refuseTooManyHolds(
  tx: Database,
  { principal, address }: Holder,
  serviceId: string,
  now: Date,
): Promise<void> {
  const { live, frees_at, released, released_nearby } = await holdUse(tx, { principal, address }, serviceId, now)
  if (live >= MOST_HOLDS && frees_at)
    throw tooMany(`You have ${live} live holds on this service. Book or release one of them.`, frees_at.getTime(), now)
  const until = Math.max(
    waitAfter(released.map(Number), FREE_RELEASES.principal) ?? 0,
    // Whoever makes a new key for each hold is known by its address.
    waitAfter(released_nearby.map(Number), FREE_RELEASES.address) ?? 0,
  )
  if (until > now.getTime()) throw tooMany('Too many holds were released without a booking.', until, now)
}

const tooMany = (message: string, until: number, now: Date) =>
  new ProtocolError('hold_limit_exceeded', message, { retryAfter: Math.ceil((until - now.getTime()) / 1000) })

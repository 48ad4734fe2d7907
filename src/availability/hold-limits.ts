import type { Database } from '../db/database.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { waitAfter } from './back-off.ts'
import { holdsLive, releases, releasesOfNewcomers } from './hold-queries.ts'
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
  const { live, frees_at } = await holdsLive(tx, principal, serviceId, now)
  if (live >= MOST_HOLDS && frees_at)
    throw tooMany(`You have ${live} live holds on this service. Book or release one of them.`, frees_at.getTime(), now)
  const until = Math.max(
    waitAfter(await releases(tx, principal, now), FREE_RELEASES.principal) ?? 0,
    // Whoever makes a new key for each hold is known by its address.
    waitAfter(await releasesOfNewcomers(tx, { principal, address }, now), FREE_RELEASES.address) ?? 0,
  )
  if (until > now.getTime()) throw tooMany('Too many holds were released without a booking.', until, now)
}

const tooMany = (message: string, until: number, now: Date) =>
  new ProtocolError('hold_limit_exceeded', message, { retryAfter: Math.ceil((until - now.getTime()) / 1000) })

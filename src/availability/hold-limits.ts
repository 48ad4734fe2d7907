import type { Database } from '../db/database.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { holdUse } from './hold-queries.ts'
import { FREE_RELEASES, MOST_HOLDS, RELEASES_COUNT_MINUTES } from './limits.ts'

const MINUTE = 60_000

/** A few live holds on a service, and no endless taking and giving back: each round beyond the free ones doubles the wait. */
export async function refuseTooManyHolds(tx: Database, principal: string, serviceId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RELEASES_COUNT_MINUTES * MINUTE)
  const { live, frees_at, released, released_at } = await holdUse(tx, principal, serviceId, since, now)
  if (live >= MOST_HOLDS && frees_at)
    throw tooMany(`You have ${live} live holds on this service. Book or release one of them.`, frees_at, now)
  const beyond = released - FREE_RELEASES
  if (beyond <= 0 || !released_at) return
  const until = new Date(released_at.getTime() + 2 ** (beyond - 1) * MINUTE)
  if (until > now) throw tooMany('Too many holds were released without a booking.', until, now)
}

const tooMany = (message: string, until: Date, now: Date) =>
  new ProtocolError('hold_limit_exceeded', message, {
    retryAfter: Math.ceil((until.getTime() - now.getTime()) / 1000),
  })

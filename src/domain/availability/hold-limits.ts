import { defaultLimits } from '../../core/limits/rate-limits.ts'
import { secondsUntil } from '../../core/limits/stranger-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { dateIn } from '../../infra/time/zone.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import { dailyCapacity } from './daily-capacity.ts'
import type { Slot } from './find-slot.ts'
import { FREE_RELEASES, MAX_LIVE_HOLDS, UNOPENED_SHARE } from './limits.ts'

interface HoldOwner {
  principal: string
  address: string
  most: number
}

/**
 * All buyers of one browser have the same principal, and each member of a family may hold a time. Therefore a browser gets
 * the limit of its network. A known platform holds for many buyers.
 */
export function maxHoldsOf({ mechanism, stranger, principal }: Caller, limits: Limits = {}): number {
  if (mechanism === 'page' && stranger) return stranger.limits.holds
  if (stranger || !PLATFORM.test(principal)) return MAX_LIVE_HOLDS
  return limits.live_holds ?? defaultLimits.live_holds
}

/** A platform without a buyer: `client:X/buy_Y` is a platform that acts for one buyer. */
const PLATFORM = /^(key|client|cert):[^/]+$/

/** Requires that the caller has few live holds on the service, and few released holds without a booking. */
export function requireFewHolds(
  tx: UnitOfWork,
  { principal, address, most }: HoldOwner,
  serviceId: string,
  now: Date,
): void {
  const { principal: free, address: freeNearby } = FREE_RELEASES
  tx.require({
    name: 'may_hold',
    values: [principal, address, serviceId, now, most, free, freeNearby],
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

/**
 * Requires that unopened links hold only a share of the slot's day, regardless of the assistant that made them. Many
 * assistants share one network address, and no caller may block a whole day. Returns the day of the slot.
 */
export async function requireFewUnopened(
  tx: UnitOfWork,
  { plan, time }: Slot,
  spots: number,
  now: Date,
): Promise<string> {
  const { service, zone } = plan
  const day = dateIn(zone, time.start)
  const most = Math.max(1, Math.floor((await dailyCapacity(tx, plan, day, now)) * UNOPENED_SHARE))
  const isClass = service.type === 'group'
  tx.require({
    name: 'few_unopened',
    values: [service.id, day, now, isClass ? spots : 1, most, isClass],
    refusal: (said) =>
      new ProtocolError('hold_limit_exceeded', 'Unopened links already reserve a part of this day.', {
        retryAfter: secondsUntil(said, now),
      }),
  })
  return day
}

import { usualLimits } from '../../core/limits/rate-limits.ts'
import { secondsUntil } from '../../core/limits/stranger-quota.ts'
import type { Change } from '../../infra/db/change.ts'
import { dateIn } from '../../infra/time/zone.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import type { Slot } from './find-slot.ts'
import { FREE_RELEASES, MOST_HOLDS, UNOPENED_SHARE } from './limits.ts'
import { placesOfDay } from './places-of-day.ts'

/** Who holds, from where, and how many live holds on one service they may have. */
interface HoldOwner {
  principal: string
  address: string
  most: number
}

/**
 * All that is pressed on one page has one principal, while a family may hold a time each: a browser has the limit of its network. A known
 * platform holds for many buyers.
 */
export function mostHoldsOf({ mechanism, stranger, principal }: Caller, limits: Limits = {}): number {
  if (mechanism === 'page' && stranger) return stranger.limits.holds
  if (stranger || !PLATFORM.test(principal)) return MOST_HOLDS
  return limits.live_holds ?? usualLimits.live_holds
}

/** Without a buyer: `client:X/buy_Y` is a platform for one buyer. */
const PLATFORM = /^(key|client|cert):[^/]+$/

/** Demands that the caller has few live holds on the service, and has not released too many without a booking. */
export function demandFewHolds(
  tx: Change,
  { principal, address, most }: HoldOwner,
  serviceId: string,
  now: Date,
): void {
  const { principal: free, address: freeNearby } = FREE_RELEASES
  tx.demand({
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
 * Demands that links which nobody has opened keep only a part of the slot's day, whoever made them: many assistants share one
 * address, and nobody may block a day. Says which day that is.
 */
export async function demandFewUnopened(tx: Change, { plan, time }: Slot, spots: number, now: Date): Promise<string> {
  const { service, zone } = plan
  const day = dateIn(zone, time.start)
  const most = Math.max(1, Math.floor((await placesOfDay(tx, plan, day, now)) * UNOPENED_SHARE))
  const isClass = service.type === 'group'
  tx.demand({
    name: 'few_unopened',
    values: [service.id, day, now, isClass ? spots : 1, most, isClass],
    refusal: (said) =>
      new ProtocolError('hold_limit_exceeded', 'Links that nobody has opened keep a part of this day already.', {
        retryAfter: secondsUntil(said, now),
      }),
  })
  return day
}

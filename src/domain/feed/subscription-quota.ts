import { CROWD_OF_STRANGERS } from '../../core/events/receivers.ts'
import { PUBLISH_KEY_HINT } from '../../core/limits/stranger-quota.ts'
import { siteOf } from '../../infra/net/addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Upper bound for platforms at their profile's site. Each change of the catalogue writes a row per subscription. */
const MAX_OWN_SITE = 200

/** The group that a subscription counts in, its upper bound, and the advice for a caller beyond it. */
interface SubscriptionQuota {
  name: string
  most: number
  advice: string
}

/**
 * Callbacks to a foreign site share the limit of that site. A platform has a separate limit at its profile's site.
 * Strangers have another separate limit per site, and take no room from platforms.
 */
export function quotaOf(
  callback: string,
  { profile, stranger }: Pick<Caller, 'profile' | 'stranger'>,
  most: number,
): SubscriptionQuota {
  const site = siteAt(callback)
  if (stranger) return { name: CROWD_OF_STRANGERS + site, most, advice: PUBLISH_KEY_HINT }
  if (site !== siteAt(profile))
    return { name: `platforms ${site}`, most, advice: 'Use the domain of your platform profile.' }
  return {
    name: `own ${site}`,
    most: Math.max(most, MAX_OWN_SITE),
    advice: 'Cancel the subscriptions that you no longer need.',
  }
}

export const siteAt = (address: string): string => siteOf(parseUrl(address)?.hostname ?? '')

/** Seconds. Only a canceled subscription makes room, so the real wait is unknown. */
const RETRY_AFTER_SECONDS = 3600

export const quotaExceeded = ({ most, advice }: SubscriptionQuota) =>
  new ProtocolError('rate_limited', `There are ${most} subscriptions to the domain of callback_url. ${advice}`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })

import { CROWD_OF_STRANGERS } from '../../core/events/receivers.ts'
import { PUBLISH_KEY_HINT } from '../../core/limits/stranger-caller-quota.ts'
import { siteOf } from '../../infra/net/ip-addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * A platform can have at most this many subscriptions with a callback address at the site of its own profile. The limit
 * exists because each change of the catalogue writes one row for each subscription.
 */
const MAX_OWN_SITE = 200

/**
 * The limit for a group of subscriptions: its name, the largest number of subscriptions in the group, and advice for a
 * refused caller.
 */
interface SubscriptionQuota {
  name: string
  most: number
  advice: string
}

/**
 * The limit that applies to a new subscription. All subscriptions with callback addresses at one site (domain) share a
 * limit. At the site of its own profile, a platform has a separate limit. Unknown callers have a separate limit, so
 * that they do not use up the limit of platforms.
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

/**
 * The server advises a refused caller to try again after this many seconds. The number is only a guess, because a new
 * subscription is possible only after another subscription is canceled.
 */
const RETRY_AFTER_SECONDS = 3600

export const quotaExceeded = ({ most, advice }: SubscriptionQuota) =>
  new ProtocolError('rate_limited', `There are ${most} subscriptions to the domain of callback_url. ${advice}`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })

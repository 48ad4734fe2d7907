import { CROWD_OF_STRANGERS } from '../../core/events/receivers.ts'
import { PUBLISH_KEY_HINT } from '../../core/limits/stranger-quota.ts'
import { siteOf } from '../../infra/net/addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * The most subscriptions of a platform at the site of its own profile. Each change of the catalogue writes a row for
 * each subscription.
 */
const MAX_OWN_SITE = 200

/**
 * The group in which a subscription counts, the most subscriptions of the group, and the advice for a caller beyond the
 * limit.
 */
interface SubscriptionQuota {
  name: string
  most: number
  advice: string
}

/**
 * The limit that applies to a new subscription. Subscriptions to one site share the limit of that site. A platform has
 * a separate limit at the site of its own profile. Strangers have another separate limit for each site, so they do not
 * use up the limit of platforms.
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
 * Seconds after which a refused caller may try again. The real wait is unknown, because only the cancellation of a
 * subscription makes room.
 */
const RETRY_AFTER_SECONDS = 3600

export const quotaExceeded = ({ most, advice }: SubscriptionQuota) =>
  new ProtocolError('rate_limited', `There are ${most} subscriptions to the domain of callback_url. ${advice}`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })

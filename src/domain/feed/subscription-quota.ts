import { CROWD_OF_STRANGERS } from '../../core/events/receivers.ts'
import { PUBLISH_KEY_HINT } from '../../core/limits/stranger-caller-quota.ts'
import { siteOf } from '../../infra/net/ip-addresses.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * The maximum number of subscriptions of one platform with callback URLs at the domain of its own profile. The limit
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
 * Returns the limit that applies to a new subscription. All subscriptions with callback URLs at one site (domain) share
 * one limit. A platform has a separate limit at the site of its own profile. Unknown callers also have a separate
 * limit, so that they cannot use up the limit of the platforms.
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
 * The server advises a refused caller to try again after this many seconds. The number is a guess, because the server
 * does not know when another subscription will be canceled.
 */
const RETRY_AFTER_SECONDS = 3600

export const quotaExceeded = ({ most, advice }: SubscriptionQuota) =>
  new ProtocolError('rate_limited', `There are ${most} subscriptions to the domain of callback_url. ${advice}`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })

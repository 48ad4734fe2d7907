import { CROWD_OF_STRANGERS } from '../../core/events/receivers.ts'
import { BECOME_KNOWN } from '../../core/limits/stranger-quota.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { siteOf } from '../../infra/net/site.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Of platforms at the site of their own profile: each change of the catalogue is written down for every subscription. */
const MOST_OWN = 200

/** What a subscription counts as, how many there may be of that, and what whoever comes too late can do. */
interface Crowd {
  name: string
  most: number
  advice: string
}

/**
 * Whoever sends to somebody else's site is one of a crowd there. A platform has room of its own at the site of its
 * profile, unless nobody knows whether the profile is its own; and strangers crowd nobody else out.
 */
export function crowdOf(
  callback: string,
  { profile, stranger }: Pick<Caller, 'profile' | 'stranger'>,
  most: number,
): Crowd {
  const site = siteAt(callback)
  if (stranger) return { name: CROWD_OF_STRANGERS + site, most, advice: BECOME_KNOWN }
  if (site !== siteAt(profile))
    return { name: `platforms ${site}`, most, advice: 'Use a domain that is the one of your platform profile.' }
  return { name: `own ${site}`, most: Math.max(most, MOST_OWN), advice: 'Cancel those that nobody needs any more.' }
}

export const siteAt = (address: string): string => siteOf(parseUrl(address)?.hostname ?? '')

/** It can end only by a subscription that is canceled. */
const DEFAULT_RETRY_AFTER = 3600

export const crowded = ({ most, advice }: Crowd) =>
  new ProtocolError('rate_limited', `There are ${most} subscriptions to the domain of callback_url. ${advice}`, {
    retryAfter: DEFAULT_RETRY_AFTER,
  })

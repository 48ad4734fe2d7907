import { ProtocolError } from '../protocol/errors.ts'
import type { Caller } from '../protocol/operation.ts'
import { BECOME_KNOWN } from '../trust/few-of-strangers.ts'

/**
 * As what a subscription counts: whoever sends to somebody else's host is one of a crowd there. A platform at the host of
 * its own profile is none, unless nobody knows whether the profile is its own; and strangers crowd nobody else out.
 */
export function crowdOf(callback: string, { profile, stranger }: Pick<Caller, 'profile' | 'stranger'>): string | null {
  const host = URL.parse(callback)?.hostname ?? ''
  if (stranger) return `strangers ${host}`
  return host === URL.parse(profile)?.hostname ? null : `platforms ${host}`
}

/** It can end only by a subscription that is canceled. */
const A_WHILE = 3600

export function crowded(most: number, { stranger }: Pick<Caller, 'stranger'>): ProtocolError {
  const advice = stranger ? BECOME_KNOWN : 'Use a host that is the one of your platform profile.'
  return new ProtocolError('rate_limited', `There are ${most} subscriptions to the host of callback_url. ${advice}`, {
    retryAfter: A_WHILE,
  })
}

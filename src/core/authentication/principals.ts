import { hash } from 'node:crypto'
import { networkOf } from '../../infra/net/addresses.ts'
import type { AccountLink, Agent, Caller, Stranger } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Call, Operation } from '../../protocol/operation.ts'

const ofBuyers: readonly string[] = [
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.order',
]

/**
 * Whether the operation acts for a buyer. In all other operations, a platform with a token of a buyer counts as the
 * platform alone.
 */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * The principal of a platform that acts for a buyer. The platform alone, or with another buyer, is another principal
 * and does not own the holds, bookings and waitlist entries of this one.
 */
export const buyerPrincipal = (platform: string, { buyer }: AccountLink): string => `${platform}/${buyer}`

export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/**
 * The id of the buyer that a principal acts for, or null. A client of an outside issuer has an `@` in its name, and
 * never acts for a buyer of this server.
 */
export const buyerOf = (principal: string): string | null =>
  /^client:[^/@]+\/(buy_[\w-]+)$/.exec(principal)?.[1] ?? null

/**
 * The limits of a stranger: a caller whose key is not published by its profile. Undefined for all other callers, such
 * as clients and holders of certificates or tokens.
 */
export async function strangerOf(
  { peer }: Call,
  { principal, agent, published }: { principal: string; agent: Agent | undefined; published: Set<string> },
  { business, limits, strangerLimitMet }: Dependencies<'business' | 'limits' | 'strangerLimitMet'>,
): Promise<Stranger | undefined> {
  if (!principal.startsWith('key:') || published.has(principal)) return undefined
  return {
    network: networkOf(peer.address),
    limits: { ...limits.strangers, ...(await business.get())?.limits?.strangers },
    profileDigest: agent && published.size > 0 ? hash('sha256', agent.url, 'base64url') : undefined,
    reportLimit: (limit) => strangerLimitMet('strangers', limit),
  }
}

/**
 * Whether events for the caller go to a separate receiver. The caller named the profile of a platform, but the profile
 * does not publish the key of the caller. The platform may not know the caller.
 */
export const hasSeparateReceiver = ({ stranger }: Pick<Caller, 'stranger'>): boolean =>
  stranger?.profileDigest !== undefined

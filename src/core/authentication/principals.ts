import { hash } from 'node:crypto'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { AccountLink, Agent, Caller, Stranger } from '../../protocol/caller-types.ts'
import type { Call, Operation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

const ofBuyers: readonly string[] = [
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
  'dev.ucp.shopping.checkout',
  'dev.ucp.shopping.order',
]

/**
 * Whether the operation acts for a buyer. In other operations, the server ignores the buyer of an access token and
 * treats the caller as the platform alone.
 */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * Returns the stored name of a platform that acts for one buyer. The same platform has another stored name when it acts
 * alone or for another buyer. Under those names, it cannot see what it created for this buyer.
 */
export const buyerPrincipal = (platform: string, { buyer }: AccountLink): string => `${platform}/${buyer}`

export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/**
 * Returns the id of the buyer for whom a principal (a stored caller name) acts, or null. A principal with an `@` is a
 * client of an outside issuer, which never acts for a buyer of this server.
 */
export const buyerOf = (principal: string): string | null =>
  /^client:[^/@]+\/(buy_[\w-]+)$/.exec(principal)?.[1] ?? null

/**
 * Returns the limits for a stranger: a caller whose key no platform profile publishes. Returns undefined for all other
 * callers, such as registered clients.
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
 * Whether the server queues events for this caller separately from the platform's other events. This is necessary if
 * the named profile does not publish the caller's key, because any caller can name any profile.
 */
export const hasSeparateReceiver = ({ stranger }: Pick<Caller, 'stranger'>): boolean =>
  stranger?.profileDigest !== undefined

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
 * Whether the operation concerns a buyer, such as creating a booking. In all other operations, the server ignores the
 * buyer in an access token.
 */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * Returns the stored name of a platform that acts for one buyer. The platform has a different name for each buyer, and
 * another name for calls without a buyer. Therefore the platform sees the data of a buyer only when it acts for this
 * buyer.
 */
export const buyerPrincipal = (platform: string, { buyer }: AccountLink): string => `${platform}/${buyer}`

export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/**
 * Returns the id of the buyer in a stored caller name (principal), or null if the name contains no buyer. A name with
 * `@` belongs to a client of another company's authorization server. Such a client never acts for a buyer.
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
 * Whether events for this caller wait in their own queue, separate from the events for the platform. Any caller can
 * name the profile of any platform. Therefore the queue is separate if the profile does not publish the caller's key.
 */
export const hasSeparateReceiver = ({ stranger }: Pick<Caller, 'stranger'>): boolean =>
  stranger?.profileDigest !== undefined

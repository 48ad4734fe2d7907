import { hash } from 'node:crypto'
import { networkOf } from '../../infra/net/addresses.ts'
import type { AccountLink, Agent, Caller, Stranger } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Call, Operation } from '../../protocol/operation.ts'

const ofBuyers: readonly string[] = [
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

/** Whether an operation concerns a buyer. For other operations, a token of a link counts as one of its platform. */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * A platform acting for a buyer is a separate principal. The platform alone, or with another buyer, does not own its holds,
 * bookings and waitlist entries.
 */
export const buyerPrincipal = (platform: string, { buyer }: AccountLink): string => `${platform}/${buyer}`

export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/**
 * The buyer that a principal acts for. A client of an outside issuer has an @ in its name and never acts for a buyer here.
 */
export const buyerOf = (principal: string): string | null =>
  /^client:[^/@]+\/(buy_[\w-]+)$/.exec(principal)?.[1] ?? null

/**
 * The limits of a caller whose key its profile does not publish. Clients, certificates and tokens have other principals and
 * are no strangers.
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
 * Whether events about the caller's things go to a separate receiver: the named platform may know nothing about this key.
 */
export const hasSeparateReceiver = ({ stranger }: Pick<Caller, 'stranger'>): boolean =>
  stranger?.profileDigest !== undefined

import { hash } from 'node:crypto'
import { networkOf } from '../../infra/net/addresses.ts'
import type { Agent, Caller, Stranger } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Call } from '../../protocol/operation.ts'

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

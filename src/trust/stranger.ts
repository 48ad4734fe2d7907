import { hash } from 'node:crypto'
import type { Agent, Call, Caller } from '../protocol/operation.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './addresses.ts'
import type { StrangerLimit, UsualLimits } from './rate-limits.ts'

/** A caller whose key is of its own making and published by nobody. It is served, but keys are cheap. */
export interface Stranger {
  /** From where it calls. */
  network: string
  limits: UsualLimits['strangers']
  /** The profile it names, in short, where that publishes keys of which this is none. */
  besideKeys: string | undefined
  /** To be told when a limit is met. */
  met(limit: StrangerLimit): void
}

/** Keys are found in the profile; clients, certificates and tokens are known by other names. */
export async function strangerOf(
  { peer }: Call,
  { principal, agent, published }: { principal: string; agent: Agent | undefined; published: Set<string> },
  { business, limits, strangerLimitMet }: Runtime,
): Promise<Stranger | undefined> {
  if (!principal.startsWith('key:') || published.has(principal)) return undefined
  return {
    network: networkOf(peer.address),
    limits: { ...limits.strangers, ...(await business.get())?.limits?.strangers },
    besideKeys: agent && published.size > 0 ? hash('sha256', agent.url, 'base64url') : undefined,
    met: strangerLimitMet,
  }
}

/** Whether what it makes is told of in a line of its own: the platform that it names knows nothing of it. */
export const isToldApart = ({ stranger }: Pick<Caller, 'stranger'>): boolean => stranger?.besideKeys !== undefined

import { hash } from 'node:crypto'
import { newSecret } from '../core/keys/secrets.ts'
import { networkOf } from '../infra/net/addresses.ts'
import { ASSISTED, type Assistant, type Caller, type Stranger, VISITOR } from '../protocol/caller.ts'
import type { Means } from '../protocol/means.ts'
import type { Call } from '../protocol/operation.ts'

/** How the secret of a visit begins that an assistant began for somebody. */
const BEGUN_BY_ASSISTANT = 'assistant'

export const newAssistedVisit = (): string => newSecret(BEGUN_BY_ASSISTANT)

/** The same of a secret that is made anew when it is needed. */
export const assistedVisitOf = (secret: string): string => `${BEGUN_BY_ASSISTANT}_${secret}`

/** Whose a visit is also says for ever who began it. */
export const principalOf = (visit: string): string =>
  `${visit.startsWith(`${BEGUN_BY_ASSISTANT}_`) ? ASSISTED : VISITOR}${hash('sha256', visit, 'base64url')}`

type VisitorMeans = Means<'business' | 'limits' | 'strangerLimitMet'>

/** Somebody with a browser, or an assistant for them. What tells them apart is a secret of theirs, so only a digest is kept. */
export async function visitorOf(
  { binding, peer, locale, sentForm }: Call,
  visit: string,
  means: VisitorMeans,
): Promise<Caller> {
  const principal = principalOf(visit)
  return {
    ...{ principal, mechanism: binding, profile: '', identities: [principal], credentials: false },
    ...(locale !== undefined && { locale }),
    ...(sentForm !== undefined && { sentForm }),
    stranger: await visitorAt(peer.address, means, binding === 'assistant' ? 'assistants' : 'visitors'),
  }
}

/**
 * A visit costs nothing to begin, so what visitors may have is counted for all of one network together, apart from what
 * programs there have. Assistants come from one address for many people, so they are counted apart again.
 */
export async function visitorAt(
  address: string,
  { business, limits, strangerLimitMet }: VisitorMeans,
  who: 'visitors' | 'assistants' = 'visitors',
): Promise<Stranger> {
  return {
    network: `${who} ${networkOf(address)}`,
    limits: { ...limits.strangers, ...limits.visitors, ...(await business.get())?.limits?.visitors },
    besideKeys: undefined,
    met: (limit) => strangerLimitMet('visitors', limit),
  }
}

/**
 * An assistant comes from one address for many people. What it does for somebody who has shown that the address of their account is
 * theirs is counted for them; accounts of which nobody knows whose they are cost as little as visits.
 */
export async function assistantAt(
  address: string,
  assistant: Assistant | undefined,
  means: VisitorMeans,
): Promise<Stranger> {
  const stranger = await visitorAt(address, means, 'assistants')
  return assistant?.isProven ? { ...stranger, network: `account ${assistant.buyer}` } : stranger
}

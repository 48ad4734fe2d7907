import { hash } from 'node:crypto'
import { newSecret } from '../core/keys/secrets.ts'
import { networkOf } from '../infra/net/addresses.ts'
import { ASSISTED, type Assistant, type Caller, type Stranger, VISITOR } from '../protocol/caller.ts'
import type { Means } from '../protocol/means.ts'
import type { Call } from '../protocol/operation.ts'

/** Prefix of the secret of a visit that an assistant started. */
const BEGUN_BY_ASSISTANT = 'assistant'

export const newAssistedVisit = (): string => newSecret(BEGUN_BY_ASSISTANT)

/** An assisted visit with a secret that the server can derive again. */
export const assistedVisitOf = (secret: string): string => `${BEGUN_BY_ASSISTANT}_${secret}`

/** The principal of a visit. Its prefix also tells whether a browser or an assistant started the visit. */
export const principalOf = (visit: string): string =>
  `${visit.startsWith(`${BEGUN_BY_ASSISTANT}_`) ? ASSISTED : VISITOR}${hash('sha256', visit, 'base64url')}`

type VisitorMeans = Means<'business' | 'limits' | 'strangerLimitMet'>

/**
 * The caller for a visitor with a browser, or with an assistant. The visit's secret identifies the visitor, so only a
 * digest is stored.
 */
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
 * Starting a visit costs nothing, so the limits of visitors apply to a whole network. They are separate from the limits of
 * programs in that network. Assistants are counted separately again, because one address serves many people.
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
 * An assistant serves many people from one address. Calls for a verified account count against that account. Calls for
 * unverified accounts count like visits, because such accounts cost as little to create.
 */
export async function assistantAt(
  address: string,
  assistant: Assistant | undefined,
  means: VisitorMeans,
): Promise<Stranger> {
  const stranger = await visitorAt(address, means, 'assistants')
  return assistant?.isProven ? { ...stranger, network: `account ${assistant.buyer}` } : stranger
}

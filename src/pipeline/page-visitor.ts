import { hash } from 'node:crypto'
import { newSecret } from '../core/keys/encrypt-secrets.ts'
import { networkOf } from '../infra/net/ip-addresses.ts'
import {
  ASSISTED_VISITOR_PREFIX,
  type Assistant,
  type Caller,
  type Stranger,
  VISITOR_PREFIX,
} from '../protocol/caller-types.ts'
import type { Call } from '../protocol/define-operation.ts'
import type { Dependencies } from '../protocol/dependency-types.ts'

/** The secret of a session on the booking pages begins with this prefix if an AI assistant started the session. */
const ASSISTED_PREFIX = 'assistant'

export const newAssistedVisit = (): string => newSecret(ASSISTED_PREFIX)

/**
 * Derives the secret of a session on the booking pages that an AI assistant starts. The same input always gives the
 * same secret.
 */
export const assistedVisitOf = (secret: string): string => `${ASSISTED_PREFIX}_${secret}`

/**
 * Returns the principal (stored name) of a session on the booking pages. Its prefix says whether a browser or an AI
 * assistant started the session.
 */
export const visitPrincipal = (visit: string): string =>
  `${visit.startsWith(`${ASSISTED_PREFIX}_`) ? ASSISTED_VISITOR_PREFIX : VISITOR_PREFIX}${hash('sha256', visit, 'base64url')}`

type VisitorDependencies = Dependencies<'business' | 'limits' | 'strangerLimitMet'>

/**
 * Makes the caller object for a session on the booking pages. The secret of the session identifies the visitor, so the
 * server stores only a digest of this secret.
 */
export async function visitorOf(
  { binding, peer, locale, sentForm }: Call,
  visit: string,
  dependencies: VisitorDependencies,
): Promise<Caller> {
  const principal = visitPrincipal(visit)
  return {
    principal,
    mechanism: binding,
    profile: '',
    identities: [principal],
    credentials: false,
    ...(locale !== undefined && { locale }),
    ...(sentForm !== undefined && { sentForm }),
    stranger: await visitorAt(peer.address, dependencies, binding === 'assistant' ? 'assistants' : 'visitors'),
  }
}

/**
 * The limits for visitors of the booking pages. All visitors in one IP address range share these limits, because a
 * visitor can start any number of sessions. REST and MCP callers in this range have separate limits. Assistants also
 * have separate limits, because one IP address of an assistant serves many people.
 */
export async function visitorAt(
  address: string,
  { business, limits, strangerLimitMet }: VisitorDependencies,
  who: 'visitors' | 'assistants' = 'visitors',
): Promise<Stranger> {
  return {
    network: `${who} ${networkOf(address)}`,
    limits: { ...limits.strangers, ...limits.visitors, ...(await business.get())?.limits?.visitors },
    profileDigest: undefined,
    reportLimit: (limit) => strangerLimitMet('visitors', limit),
  }
}

/**
 * The limits for an AI assistant, which serves many people from one IP address. Calls for a person with a verified
 * account count against a limit of this account. Calls for an unverified account count like visitors, because anyone
 * can create any number of such accounts.
 */
export async function assistantAt(
  address: string,
  assistant: Assistant | undefined,
  dependencies: VisitorDependencies,
): Promise<Stranger> {
  const stranger = await visitorAt(address, dependencies, 'assistants')
  return assistant?.isProven ? { ...stranger, network: `account ${assistant.buyer}` } : stranger
}

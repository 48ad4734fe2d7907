import { asRecord } from '../../infra/util/object-members.ts'
import type { AccountLink } from '../../protocol/caller-types.ts'
import type { Call } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type AccessTokens, verifiedClaims, wasIssued } from '../tokens/access-tokens.ts'
import { assistantResource } from '../tokens/token-audiences.ts'
import { bindingOfRequest } from './check-proof-against-call.ts'
import { buyerPrincipal } from './principals.ts'
import { refuseReplay } from './refuse-replayed-proofs.ts'
import { verifyProof } from './verify-proof-jwt.ts'

export interface AssistantCaller extends AccountLink {
  client: string
  /**
   * The stored name (principal) of an AI assistant that acts for a person. Each assistant of one person has its own
   * name.
   */
  principal: string
}

type TokenDependencies = Dependencies<'config' | 'db'> & { accessTokens: AccessTokens }

export interface PresentedToken extends Pick<Call, 'http' | 'headers'> {
  token: string
  as: 'Bearer' | 'DPoP'
}

export function presentedToken({ headers, http }: Pick<Call, 'http' | 'headers'>): PresentedToken | undefined {
  const [, scheme = '', token] = /^(Bearer|DPoP) +(\S+)$/i.exec(String(headers.authorization ?? '')) ?? []
  const as = scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'
  return token === undefined ? undefined : { token, as, headers, ...(http && { http }) }
}

/**
 * Whether this server issued the access token, even if the token has expired since. A call with an expired token does
 * not count as an attempt to guess a token. Tokens expire after minutes, and too many guesses block an IP address that
 * many people can share.
 */
export const wasIssuedToAssistant = (
  token: string,
  { accessTokens: { serverIssuer }, config }: Omit<TokenDependencies, 'db'>,
  now: Date,
): Promise<boolean> => wasIssued(token, serverIssuer, assistantResource(config), now)

/**
 * Returns the owner of an access token. Returns undefined if the token is not valid for `/mcp`, the endpoint for
 * assistants.
 */
export async function verifyAssistantToken(
  shown: PresentedToken,
  dependencies: TokenDependencies,
  now: Date,
): Promise<AssistantCaller | undefined> {
  const { serverIssuer } = dependencies.accessTokens
  const claims = await verifiedClaims(shown.token, serverIssuer, assistantResource(dependencies.config), now)
  if (!claims) return undefined
  const isBound = claims.cnf !== undefined
  // The scheme DPoP is for tokens that are bound to a key, and the scheme Bearer for all other tokens. A bound token
  // with the scheme Bearer was probably stolen, so the server refuses the token.
  if (isBound !== (shown.as === 'DPoP')) return undefined
  if (isBound && !(await isProven(shown, asRecord(claims.cnf).jkt, dependencies, now))) return undefined
  const holder = await serverIssuer.subjectOf(claims, now)
  if (!holder?.link) return undefined
  const { principal, link } = holder
  return { client: String(claims.client_id), principal: buyerPrincipal(principal, link), ...link }
}

/**
 * Whether the request contains a DPoP proof (RFC 9449). The signature of the proof must match the key that the access
 * token names.
 */
async function isProven(
  { token, ...request }: PresentedToken,
  jkt: unknown,
  dependencies: TokenDependencies,
  now: Date,
): Promise<boolean> {
  const { dpop } = request.headers
  if (typeof jkt !== 'string' || typeof dpop !== 'string') return false
  const expected = {
    ...bindingOfRequest(request, dependencies),
    credential: { value: token, jkt },
    now,
    checkNonce: () => {},
  }
  try {
    await refuseReplay(dependencies.db, verifyProof(dpop, expected), now)
    return true
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return false
  }
}

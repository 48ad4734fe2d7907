import type { Call } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { authorizationHeader, declared, type Scheme } from '../authentication-policy.ts'
import { checkProof, missingProof, presentedProof } from '../check-proof-against-call.ts'
import { dpopChallenge } from '../www-authenticate-header.ts'

const MECHANISM = 'oauth2_bearer'

/**
 * Authenticates the caller with an access token. If the token is bound to a key, the call must also prove that the
 * caller has this key.
 */
export const oauth2Bearer: Scheme = {
  mechanism: MECHANISM,
  async authenticate(attempt) {
    const { call, dependencies, policy, now } = attempt
    const presented = presentedToken(call)
    if (!presented) {
      if (declared(call)?.mechanism === MECHANISM) throw invalid('Bearer')
      return undefined
    }
    const { value, as } = presented
    const token = await dependencies.accessTokens.verify(value, policy.oauthIssuer, now)
    if (!token || (token.link && !policy.linking))
      throw invalid(as ?? 'Bearer', await dependencies.accessTokens.wasIssued(value, policy.oauthIssuer, now))
    const { jkt, ...holder } = token
    // The scheme DPoP is for tokens that are bound to a key, and the scheme Bearer for all other tokens. A bound token
    // with the scheme Bearer was probably stolen, so the server refuses the token.
    if (as !== undefined && as !== (jkt === undefined ? 'Bearer' : 'DPoP')) throw invalid(as)
    if (jkt === undefined) return holder
    const proof = presentedProof(call)
    if (proof === undefined) throw missingProof()
    await checkProof(attempt, proof, { value, jkt })
    return { ...holder, thumbprint: jkt }
  },
}

const wireNames: Record<string, 'Bearer' | 'DPoP'> = { bearer: 'Bearer', dpop: 'DPoP' }

/**
 * Finds the access token of a call, and the scheme of its `Authorization` header (Bearer or DPoP). A token in the
 * arguments of a tool call has no such header. The function ignores API keys, because another function checks these.
 */
function presentedToken(call: Call): { value: string; as: 'Bearer' | 'DPoP' | undefined } | undefined {
  const declaration = declared(call)
  if (declaration?.mechanism === MECHANISM && declaration.credential !== undefined)
    return { value: declaration.credential, as: undefined }
  const header = authorizationHeader(call)
  const as = wireNames[header?.scheme ?? '']
  if (!header || !as || header.value.startsWith('usk_')) return undefined
  return { value: header.value, as }
}

const invalid = (as: 'Bearer' | 'DPoP', ended = false) =>
  new ProtocolError('authentication_required', 'The access token is invalid or has expired.', {
    headers: { 'www-authenticate': as === 'DPoP' ? dpopChallenge('invalid_token') : 'Bearer error="invalid_token"' },
    ended,
  })

import type { KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../infra/config/read-config.ts'
import type { Database } from '../../infra/db/database.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { outsideIssuer } from './external-issuer.ts'
import { ownIssuer } from './own-issuer.ts'
import { protocolResources } from './token-audiences.ts'
import type { Issuer, TokenSubject } from './token-issuer.ts'

export interface AccessToken extends TokenSubject {
  /** If the access token is bound to a key, the thumbprint (digest) of this key. Otherwise undefined. */
  jkt: string | undefined
}

export interface AccessTokens {
  serverIssuer: Issuer
  /**
   * Returns the owner of a valid access token: a person or a client. `outside` is the authorization server of another
   * company that issues the tokens. Without `outside`, this server issues the tokens.
   */
  verify(token: string, outside: string | undefined, now: Date): Promise<AccessToken | undefined>
  /**
   * Whether the token issuer signed the access token for this server, even if the token has expired. An expired token
   * does not count as an attempt to guess a token.
   */
  wasIssued(token: string, outside: string | undefined, now: Date): Promise<boolean>
  tokenEndpoint(outside: string | undefined): string | undefined
}

export function accessTokens(db: Database, config: Config, boxKey: KeyObject, clock: () => Date): AccessTokens {
  const serverIssuer = ownIssuer(db, config, boxKey, clock)
  const audience = protocolResources(config)
  let last: Issuer | undefined
  const issuerOf = (outside: string | undefined): Issuer => {
    if (outside === undefined) return serverIssuer
    if (last?.name !== outside) last = outsideIssuer(outside, config, clock)
    return last
  }
  return {
    serverIssuer,
    async verify(token, outside, now) {
      const issuer = issuerOf(outside)
      const claims = await verifiedClaims(token, issuer, audience, now)
      const holder = claims && (await issuer.subjectOf(claims, now))
      return holder && bound(holder, claims.cnf)
    },
    wasIssued: (token, outside, now) => wasIssued(token, issuerOf(outside), audience, now),
    tokenEndpoint: (outside) => issuerOf(outside).tokenEndpoint(),
  }
}

/**
 * Reads the thumbprint of the key that an access token is bound to. Some tokens are bound to something else, such as a
 * certificate. The server refuses these tokens, because it cannot check their binding.
 */
function bound(holder: TokenSubject, cnf: unknown): AccessToken | undefined {
  if (cnf === undefined) return { ...holder, jkt: undefined }
  const { jkt } = asRecord(cnf)
  return typeof jkt === 'string' ? { ...holder, jkt } : undefined
}

type Judged = [token: string, issuer: Issuer, audience: string | string[], now: Date]

/**
 * Returns the claims in an access token. Returns undefined if the token has expired, or if the issuer did not sign the
 * token for this server.
 */
export const verifiedClaims = async (...parameters: Judged): Promise<JWTPayload | undefined> =>
  (await judge(...parameters)).claims

/** Whether the issuer signed the access token for this server. An expired token with a valid signature also counts. */
export async function wasIssued(...parameters: Judged): Promise<boolean> {
  const { claims, isExpired } = await judge(...parameters)
  return claims !== undefined || isExpired
}

async function judge(
  ...[token, { name, algorithms, typ, findKey }, audience, now]: Judged
): Promise<{ claims?: JWTPayload; isExpired: boolean }> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
      issuer: name,
      audience,
      algorithms,
      ...(typ !== undefined && { typ }),
      requiredClaims: ['exp'],
      currentDate: now,
    })
    return { claims: payload, isExpired: false }
  } catch (error) {
    if (error instanceof errors.JOSEError || isUnusableKeyError(error))
      return { isExpired: error instanceof errors.JWTExpired }
    throw error
  }
}

/**
 * Whether the error comes from an unusable key of the token issuer, such as a key that is too short. The server refuses
 * a token with such a key, because it cannot check the token.
 */
export const isUnusableKeyError = (error: unknown) => error instanceof TypeError || error instanceof DOMException

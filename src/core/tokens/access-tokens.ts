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
  /** The thumbprint of the key to which the access token is bound. Undefined if the token is not bound to a key. */
  jkt: string | undefined
}

export interface AccessTokens {
  serverIssuer: Issuer
  /**
   * Returns the person or client that a valid access token stands for. `outside` is the issuer that the business
   * configured. If it is undefined, this server must be the issuer.
   */
  verify(token: string, outside: string | undefined, now: Date): Promise<AccessToken | undefined>
  /**
   * Whether the issuer signed the access token for this server, even if the token has expired. Such a token is not a
   * guess.
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
 * Reads the thumbprint of the key to which an access token is bound. Refuses a token that is bound to something else,
 * such as a certificate, because the server cannot check this binding.
 */
function bound(holder: TokenSubject, cnf: unknown): AccessToken | undefined {
  if (cnf === undefined) return { ...holder, jkt: undefined }
  const { jkt } = asRecord(cnf)
  return typeof jkt === 'string' ? { ...holder, jkt } : undefined
}

type Judged = [token: string, issuer: Issuer, audience: string | string[], now: Date]

/**
 * Returns the claims of an access token. Throws an error unless the issuer signed the token for this server and the
 * token has not expired.
 */
export const verifiedClaims = async (...parameters: Judged): Promise<JWTPayload | undefined> =>
  (await judge(...parameters)).claims

/**
 * Whether the issuer signed the access token for this server. The result is also true for an expired token with a valid
 * signature.
 */
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
 * Whether the error comes from an unusable key of the token's issuer, such as a key that is too short. The server
 * cannot check a token with such a key, so it refuses the token.
 */
const isUnusableKeyError = (error: unknown) => error instanceof TypeError || error instanceof DOMException

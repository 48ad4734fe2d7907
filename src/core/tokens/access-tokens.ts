import type { KeyObject } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../../infra/config/config.ts'
import type { Database } from '../../infra/db/database.ts'
import { asRecord } from '../../infra/util/records.ts'
import { outsideIssuer } from './external-issuer.ts'
import type { Issuer, TokenSubject } from './issuer.ts'
import { ownIssuer } from './own-issuer.ts'
import { protocolResources } from './resources.ts'

export interface AccessToken extends TokenSubject {
  /** Thumbprint of the key it is bound to, if any. */
  jkt: string | undefined
}

export interface AccessTokens {
  serverIssuer: Issuer
  /** The subject of a valid token from the issuer in force: the configured issuer, otherwise this server. */
  verify(token: string, outside: string | undefined, now: Date): Promise<AccessToken | undefined>
  /** Whether the issuer in force issued the token for this server, even when it has expired. */
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

/** A token bound to something other than a key, such as a certificate, cannot be checked here. */
function bound(holder: TokenSubject, cnf: unknown): AccessToken | undefined {
  if (cnf === undefined) return { ...holder, jkt: undefined }
  const { jkt } = asRecord(cnf)
  return typeof jkt === 'string' ? { ...holder, jkt } : undefined
}

type Judged = [token: string, issuer: Issuer, audience: string | string[], now: Date]

/** The claims of a token that its issuer signed for this server and that has not expired. */
export const verifiedClaims = async (...parameters: Judged): Promise<JWTPayload | undefined> =>
  (await judge(...parameters)).claims

/** Whether the issuer signed the token for this server, expired or not. The expiry is checked only after the signature. */
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
 * An issuer may publish unusable keys, such as one that is too short. The check with such a key fails, and the token is not
 * valid.
 */
const isUnusableKeyError = (error: unknown) => error instanceof TypeError || error instanceof DOMException

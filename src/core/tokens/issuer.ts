import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { AccountLink } from '../../protocol/caller.ts'

export interface TokenSubject {
  principal: string
  link?: AccountLink
}

export interface Issuer {
  /** The `iss` claim of its tokens. It is compared character by character. */
  name: string
  algorithms: string[]
  /** The `typ` of its access tokens; any when undefined. */
  typ: string | undefined
  findKey: JWTVerifyGetKey
  /** The subject of a token's claims; undefined when the claims name none or the authorization has ended. */
  subjectOf(claims: JWTPayload, now: Date): Promise<TokenSubject | undefined>
  /** The token endpoint, if already known. The profile does not wait for an issuer. */
  tokenEndpoint(): string | undefined
}

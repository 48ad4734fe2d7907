import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { AccountLink } from '../../protocol/caller-types.ts'

export interface TokenSubject {
  principal: string
  link?: AccountLink
}

export interface Issuer {
  /**
   * The value of the claim `iss` in all tokens of this issuer. The server compares this value character by character.
   */
  name: string
  algorithms: string[]
  /** The `typ` that access tokens of this issuer must have. Undefined if the server accepts all types. */
  typ: string | undefined
  findKey: JWTVerifyGetKey
  /**
   * Returns the owner of a token: a person or a client. Returns undefined if the token names no owner, or if the
   * authorization has ended.
   */
  subjectOf(claims: JWTPayload, now: Date): Promise<TokenSubject | undefined>
  /**
   * Returns the URL of the issuer's token endpoint. Returns undefined if the server does not know the URL yet. The
   * server does not wait for the issuer, because this would delay the business profile, which contains the URL.
   */
  tokenEndpoint(): string | undefined
}

import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { AccountLink } from '../../protocol/caller-types.ts'

export interface TokenSubject {
  principal: string
  link?: AccountLink
}

export interface Issuer {
  /**
   * The value of the claim `iss` in all tokens of this issuer. The server compares the value character by character.
   */
  name: string
  algorithms: string[]
  /** The required `typ` of access tokens. Undefined if the server accepts tokens of any type. */
  typ: string | undefined
  findKey: JWTVerifyGetKey
  /**
   * Returns the person or client that a token stands for. Returns undefined if the token names none, or if the
   * authorization has ended.
   */
  subjectOf(claims: JWTPayload, now: Date): Promise<TokenSubject | undefined>
  /**
   * Returns the token endpoint of the issuer, or undefined if it is not known yet. The business profile must not wait
   * for an issuer.
   */
  tokenEndpoint(): string | undefined
}

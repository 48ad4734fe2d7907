import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { AccountLink } from '../../protocol/caller.ts'

export interface TokenSubject {
  principal: string
  link?: AccountLink
}

export interface Issuer {
  /** The `iss` claim in the tokens of the issuer. It is compared character by character. */
  name: string
  algorithms: string[]
  /** The `typ` of access tokens from the issuer. Undefined means that any type is accepted. */
  typ: string | undefined
  findKey: JWTVerifyGetKey
  /** Returns the subject that a token names. Undefined if there is none, or if the authorization has ended. */
  subjectOf(claims: JWTPayload, now: Date): Promise<TokenSubject | undefined>
  /** The token endpoint of the issuer, if it is already known. The business profile does not wait for an issuer. */
  tokenEndpoint(): string | undefined
}

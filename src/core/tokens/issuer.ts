import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Link } from '../../protocol/caller.ts'

/** Whom a token speaks for: a platform, and a buyer who let it. */
export interface TokenSubject {
  principal: string
  link?: Link
}

/** Who issues the access tokens that are accepted, and what tells its tokens from others. */
export interface Issuer {
  /** Its `iss`, character for character. */
  name: string
  algorithms: string[]
  /** The `typ` that its access tokens bear; any when undefined. */
  typ: string | undefined
  findKey: JWTVerifyGetKey
  /** Whom a token of it speaks for; nobody when it does not say, or not any more. */
  subjectOf(claims: JWTPayload, now: Date): Promise<TokenSubject | undefined>
  /** Where its clients obtain tokens, as far as that is known by now: the profile waits for nobody. */
  tokenEndpoint(): string | undefined
}

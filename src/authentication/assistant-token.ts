import type { Link } from '../protocol/caller.ts'
import type { Means } from '../protocol/means.ts'
import { type AccessTokens, verifiedClaims, wasIssued } from '../tokens/access-tokens.ts'
import { assistantResource } from '../tokens/resources.ts'
import { buyerPrincipal } from './buyer-principal.ts'

/** An assistant, and the person who lets it act. */
export interface AssistantCaller extends Link {
  client: string
  /** Both together: no other assistant of that person has what this one has. */
  principal: string
}

/**
 * Whether it was a good one once, whatever became of it. Whoever shows it does not guess: one assistant comes from one address for
 * many people, and each of their tokens ends after minutes.
 */
export const wasIssuedToAssistant = (
  token: string,
  { accessTokens: { own }, config }: Means<'config'> & { accessTokens: AccessTokens },
  now: Date,
): Promise<boolean> => wasIssued(token, own, assistantResource(config), now)

/** For whom an access token speaks at the endpoint of assistants. Nobody, if it is not good there, or not any more. */
export async function verifyAssistantToken(
  token: string,
  { accessTokens: { own }, config }: Means<'config'> & { accessTokens: AccessTokens },
  now: Date,
): Promise<AssistantCaller | undefined> {
  const claims = await verifiedClaims(token, own, assistantResource(config), now)
  // One that is bound to a key is nothing without a proof, and none is asked for there.
  if (!claims || claims.cnf !== undefined) return undefined
  const holder = await own.subjectOf(claims, now)
  if (!holder?.link) return undefined
  const { principal, link } = holder
  return { client: String(claims.client_id), principal: buyerPrincipal(principal, link), ...link }
}

import { issuesTokens, type Policy } from '../../core/authentication/mechanisms.ts'

/** Whom the authorization server serves. */
export interface Offers {
  /** Platforms, for themselves. */
  platforms: boolean
  /** Platforms, for buyers. */
  linking: boolean
  /** Assistants, for buyers. */
  assistants: boolean
}

export const offersOf = (policy: Policy): Offers => ({
  platforms: issuesTokens(policy),
  linking: policy.linking,
  assistants: policy.assistants,
})

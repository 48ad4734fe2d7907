import { issuesTokens, type Policy } from '../../core/authentication/mechanisms.ts'

export interface Offers {
  /** Platforms that act for themselves. */
  platforms: boolean
  /** Platforms that act for buyers. */
  linking: boolean
  /** Assistants that act for buyers. */
  assistants: boolean
}

export const offersOf = (policy: Policy): Offers => ({
  platforms: issuesTokens(policy),
  linking: policy.linking,
  assistants: policy.assistants,
})

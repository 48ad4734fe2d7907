import { issuesTokens, type Policy } from '../../core/authentication/mechanisms.ts'

export interface Offers {
  /** Whether platforms that act for themselves get tokens. */
  platforms: boolean
  /** Whether platforms that act for buyers get tokens. */
  linking: boolean
  /** Whether assistants that act for buyers get tokens. */
  assistants: boolean
}

export const offersOf = (policy: Policy): Offers => ({
  platforms: issuesTokens(policy),
  linking: policy.linking,
  assistants: policy.assistants,
})

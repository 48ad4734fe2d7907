import { issuesTokens, type Policy } from '../../core/authentication/authentication-policy.ts'

export interface Offers {
  /** Whether platforms can get tokens to act for themselves. */
  platforms: boolean
  /** Whether platforms can get tokens to act for buyers. */
  linking: boolean
  /** Whether assistants can get tokens to act for buyers. */
  assistants: boolean
}

export const offersOf = (policy: Policy): Offers => ({
  platforms: issuesTokens(policy),
  linking: policy.linking,
  assistants: policy.assistants,
})

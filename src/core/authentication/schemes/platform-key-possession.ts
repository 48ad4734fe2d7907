import { declared, type Scheme } from '../authentication-policy.ts'
import { checkProof, missingProof, presentedProof } from '../check-proof-against-call.ts'

/**
 * Authenticates a caller who proves possession of a private key. The key itself identifies the caller, so the caller
 * need not publish or register the key.
 */
export const platformKeyPop: Scheme = {
  mechanism: 'platform_key_pop',
  async authenticate(attempt) {
    const proof = presentedProof(attempt.call)
    if (proof === undefined) {
      if (declared(attempt.call)?.mechanism === 'platform_key_pop') throw missingProof()
      return undefined
    }
    const thumbprint = await checkProof(attempt, proof)
    return { principal: `key:${thumbprint}`, thumbprint }
  },
}

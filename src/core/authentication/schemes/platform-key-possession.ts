import { checkProof, missingProof, presentedProof } from '../check-possession-proof.ts'
import { declared, type Scheme } from '../mechanisms.ts'

/**
 * Authenticates the caller with a proof that the caller has a certain private key. The key is neither published nor
 * registered. The key itself identifies the caller.
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

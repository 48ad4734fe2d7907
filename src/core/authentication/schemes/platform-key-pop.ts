import { checkProof, missingProof, presentedProof } from '../check-proof.ts'
import { declared, type Scheme } from '../scheme.ts'

/** A key that the caller made itself and proves to hold. Nobody published or registered it: the key is the caller. */
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

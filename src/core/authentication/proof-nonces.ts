import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ProtocolError } from '../../protocol/errors.ts'

export interface Nonces {
  make(now: Date): string
  /**
   * Checks that a server of this business recently issued the nonce (a short-lived value) in the caller's proof.
   * Otherwise, throws an error with a new nonce for the next try.
   */
  check(nonce: unknown, now: Date): void
}

const LIFETIME_SECONDS = 300

/**
 * Creates and checks nonces for the proofs of callers. The server does not store nonces. Each nonce contains its
 * creation time and an authentication tag, which only servers of this business can create.
 */
export function makeNonces(key: KeyObject): Nonces {
  const tag = (issuedAt: string) =>
    createHmac('sha256', key).update(issuedAt).digest().subarray(0, 16).toString('base64url')
  const make = (now: Date) => {
    const issuedAt = Math.floor(now.getTime() / 1000).toString(36)
    return `${issuedAt}.${tag(issuedAt)}`
  }
  const isOurs = (nonce: string, now: Date) => {
    const [issuedAt = '', givenTag = ''] = nonce.split('.')
    const expectedTag = tag(issuedAt)
    const age = now.getTime() / 1000 - Number.parseInt(issuedAt, 36)
    const sameLength = givenTag.length === expectedTag.length
    return (
      sameLength &&
      timingSafeEqual(Buffer.from(givenTag), Buffer.from(expectedTag)) &&
      age >= -5 &&
      age <= LIFETIME_SECONDS
    )
  }
  return {
    make,
    check(nonce, now) {
      if (typeof nonce === 'string' && isOurs(nonce, now)) return
      const next = make(now)
      throw new ProtocolError('proof_nonce_required', 'Put this nonce into a new proof and try again.', {
        nonce: next,
        headers: { 'dpop-nonce': next, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
      })
    },
  }
}

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { ProtocolError } from '../../protocol/errors.ts'

export interface Nonces {
  make(now: Date): string
  /** Throws unless the nonce is a recent one of this server. The error contains the next nonce. */
  check(nonce: unknown, now: Date): void
}

const LIFETIME_SECONDS = 300

/** Nonces without storage: the creation time with a tag that only the servers of this business can compute. */
export function makeNonces(key: KeyObject): Nonces {
  const tag = (made: string) => createHmac('sha256', key).update(made).digest().subarray(0, 16).toString('base64url')
  const make = (now: Date) => {
    const made = Math.floor(now.getTime() / 1000).toString(36)
    return `${made}.${tag(made)}`
  }
  const isOurs = (nonce: string, now: Date) => {
    const [made = '', given = ''] = nonce.split('.')
    const own = tag(made)
    const age = now.getTime() / 1000 - Number.parseInt(made, 36)
    const sameLength = given.length === own.length
    return sameLength && timingSafeEqual(Buffer.from(given), Buffer.from(own)) && age >= -5 && age <= LIFETIME_SECONDS
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

import type { Algorithm } from '../../caller/key-pair.ts'
import type { KeyUse } from '../../run/accepted-algorithms.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'
import { type Check, type CheckOptions, check } from '../check.ts'

/**
 * Returns a function that defines checks. Each check runs only if the business accepts these mechanisms and offers
 * bookings.
 */
const checkOf =
  (...mechanisms: string[]) =>
  (rules: string, title: string, run: Check['run'], { needs = [], ...options }: CheckOptions = {}): Check =>
    check(
      rules,
      title,
      (c) => {
        for (const mechanism of mechanisms) requireMechanism(c, mechanism)
        return run(c)
      },
      { needs: ['services.bookings', ...needs], ...options },
    )

export function requireMechanism({ target }: CheckContext, mechanism: string): void {
  if (!target.mechanisms.includes(mechanism)) throw new Skip(`The business does not accept ${mechanism}.`)
}

/** Skips the check if the business does not accept the algorithm. Not for an algorithm that the protocol demands. */
export function requireAlgorithm(c: CheckContext, use: KeyUse, algorithm: Algorithm): void {
  if (!c.algorithmsOf(use).includes(algorithm)) throw new Skip(`The business does not accept ${algorithm} in ${use}s.`)
}

export const proofCheck = checkOf('platform_key_pop')
export const signatureCheck = checkOf('http_message_signature')
/** For checks of credentials that are bound to a key. */
export const credentialCheck = checkOf('platform_key_pop', 'booking_scoped_credential')
/** For checks of credentials of platforms that sign their calls. These credentials are not bound to a key. */
export const unboundCredentialCheck = checkOf('http_message_signature', 'booking_scoped_credential')
export const proofAndSignatureCheck = checkOf('platform_key_pop', 'http_message_signature')

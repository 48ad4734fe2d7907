import type { KeyObject } from 'node:crypto'
import { seal } from '../../../core/keys/encrypt-secrets.ts'

interface Stored {
  /**
   * The encrypted secret that is stored for the same account at the same host. If the function got the secret of another
   * host, an owner could have it sent to a host of their own.
   */
  stored: Buffer | null | undefined
  key: KeyObject
  /** The error if there is no secret at all. */
  refusal(): Error
}

/** Returns the encrypted secret of another system: the new secret, or the stored one if the call contains no new one. */
export function secretToStore(secret: string | undefined, { stored, key, refusal }: Stored): Buffer {
  if (secret !== undefined) return seal(key, secret)
  if (!stored) throw refusal()
  return stored
}

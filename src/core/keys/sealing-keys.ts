import type { KeyObject } from 'node:crypto'
import { deriveKey } from './secret-box.ts'

/** The encryption keys for stored secrets, all derived from the server's secret key. */
export interface SealingKeys {
  replies: KeyObject
  signingKeys: KeyObject
  oauthKeys: KeyObject
}

export const sealingKeysOf = (secretKey: string): SealingKeys => ({
  replies: deriveKey(secretKey, 'replies'),
  signingKeys: deriveKey(secretKey, 'signing keys'),
  oauthKeys: deriveKey(secretKey, 'oauth keys'),
})

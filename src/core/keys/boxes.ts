import type { KeyObject } from 'node:crypto'
import { deriveKey } from './secret-box.ts'

/** What seals the things that are stored sealed, made from the server's secret key. */
export interface Boxes {
  replies: KeyObject
  /** Of the keys that events are signed with. */
  signingKeys: KeyObject
  /** Of the keys that access tokens are signed with. */
  oauthKeys: KeyObject
}

export const boxesOf = (secretKey: string): Boxes => ({
  replies: deriveKey(secretKey, 'replies'),
  signingKeys: deriveKey(secretKey, 'signing keys'),
  oauthKeys: deriveKey(secretKey, 'oauth keys'),
})

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * A function that makes a short digest of a text. Only a server with the secret key can make the same digest. A digest
 * for one purpose is invalid for all other purposes.
 */
export type Tag = (purpose: string, text: string, bytes?: number) => string

export const makeTag =
  (key: KeyObject): Tag =>
  (purpose, text, bytes = 9) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest().subarray(0, bytes).toString('base64url')

export function isEqualInConstantTime(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * A short keyed digest: whoever does not have the server's secret cannot make one, and one made for a purpose or a text
 * is good for no other.
 */
export type Tag = (purpose: string, text: string, bytes?: number) => string

export const makeTag =
  (key: KeyObject): Tag =>
  (purpose, text, bytes = 9) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest().subarray(0, bytes).toString('base64url')

export function sameTag(one: string, other: string): boolean {
  const [ours, theirs] = [Buffer.from(one), Buffer.from(other)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

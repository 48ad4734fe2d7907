import { hash } from 'node:crypto'
import type { People } from './booking-row.ts'

/** Of an address, whatever its letters look like. */
export const addressDigest = (email: string): string => hash('sha256', email.toLowerCase(), 'base64url')

const addressesOf = ({ buyer, recipient }: People): string[] =>
  [buyer, recipient].flatMap((one) => (one ? [addressDigest(one.email)] : []))

/** People as they are now, with the digests of those who stood there before and do no more. */
export function withEarlier(before: People, now: People): People {
  if (now.erased) return now
  const [were, are] = [addressesOf(before), addressesOf(now)]
  const earlier = [...new Set([...(before.earlier ?? []), ...were.filter((one) => !are.includes(one))])]
  return earlier.length > 0 ? { ...now, earlier } : now
}

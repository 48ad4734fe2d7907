import { hash } from 'node:crypto'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { People } from './booking-row.ts'

/** A limit, because readers of the booking load the whole list. */
const MOST_PREVIOUS_CONTACTS = 100

/** The digest ignores upper and lower case. */
export const addressDigest = (email: string): string => hash('sha256', email.toLowerCase(), 'base64url')

const addressesOf = ({ buyer, recipient }: People): string[] =>
  [buyer, recipient].flatMap((one) => (one ? [addressDigest(one.email)] : []))

/** The current people, with the digests of all previous addresses that are no longer in use. */
export function withPreviousContacts(before: People, now: People): People {
  if (now.erased) return now
  const [were, are] = [addressesOf(before), addressesOf(now)]
  const { earlier: known = [] } = before
  const earlier = [...new Set([...known, ...were.filter((one) => !are.includes(one))])]
  if (earlier.length > Math.max(MOST_PREVIOUS_CONTACTS, known.length))
    throw new BusinessRefusal(
      'invalid_transition',
      'The people of this booking were replaced too often. It accepts no further change of address.',
    )
  return earlier.length > 0 ? { ...now, earlier } : now
}

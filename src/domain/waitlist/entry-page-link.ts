import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'

const TAG_BYTES = 24

const secret = (tag: Tag, entryId: string) => tag('page', `waiting ${entryId}`, TAG_BYTES)

/**
 * Returns the secret URL of the page of a waitlist entry. Every person who knows the URL can leave the waitlist, and
 * accept or decline an offer.
 */
export const entryUrl = (baseUrl: string, tag: Tag, entryId: string): string =>
  `${baseUrl}/waiting/${entryId}/${secret(tag, entryId)}`

export const isEntrySecret = (tag: Tag, entryId: string, value: string): boolean =>
  isEqualInConstantTime(secret(tag, entryId), value)

import { sameTag, type Tag } from '../../protocol/tags.ts'

const TAG_BYTES = 24

const secret = (tag: Tag, entryId: string) => tag('page', `waiting ${entryId}`, TAG_BYTES)

/** Where somebody sees their place in line: whoever has the address may leave, and take or refuse what is offered. */
export const entryUrl = (baseUrl: string, tag: Tag, entryId: string): string =>
  `${baseUrl}/waiting/${entryId}/${secret(tag, entryId)}`

export const opensEntry = (tag: Tag, entryId: string, given: string): boolean => sameTag(secret(tag, entryId), given)

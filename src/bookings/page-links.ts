import { sameTag, type Tag } from '../protocol/tags.ts'

/** What a page in the buyer's browser is for. */
export const PAGES = ['manage', 'cancel', 'move', 'waiver', 'intake', 'payment'] as const
export type Page = (typeof PAGES)[number]

const TAG_BYTES = 24

const secret = (tag: Tag, bookingId: string, page: Page) => tag('page', `${page} ${bookingId}`, TAG_BYTES)

/** The address names the booking, and a secret that only this server can make; it says nothing of what is in it. */
export const pageUrl = (baseUrl: string, tag: Tag, bookingId: string, page: Page): string =>
  `${baseUrl}/booking/${bookingId}/${page}/${secret(tag, bookingId, page)}`

export const opensPage = (tag: Tag, bookingId: string, page: Page, given: string): boolean =>
  sameTag(secret(tag, bookingId, page), given)

/** What a browser is given that has had the booking's own page open. It opens nothing. */
export const pageMark = (tag: Tag, bookingId: string): string => tag('page', `opened ${bookingId}`, TAG_BYTES)

export const isPageMark = (tag: Tag, bookingId: string, given: string): boolean =>
  sameTag(pageMark(tag, bookingId), given)

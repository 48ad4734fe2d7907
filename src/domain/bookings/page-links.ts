import { sameTag, type Tag } from '../../protocol/tags.ts'

/** What a page in the buyer's browser is for; those for one task are also given to whoever only does that. */
const pages = {
  manage: 'of the buyer',
  cancel: 'of the buyer',
  move: 'of the buyer',
  waiver: 'for a task',
  intake: 'for a task',
  payment: 'for a task',
} as const
export type Page = keyof typeof pages

export const PAGES = Object.keys(pages)

export const isPage = (name: string): name is Page => Object.hasOwn(pages, name)

/** Whether it is given only to somebody who may do everything about the booking. */
export const isOfTheBuyer = (page: Page): boolean => pages[page] === 'of the buyer'

const TAG_BYTES = 24

/** The staff may renew the links of a booking: the number of renewals stands before the secret and is part of it. */
const secret = (tag: Tag, bookingId: string, page: Page, renewals: number) =>
  renewals === 0
    ? tag('page', `${page} ${bookingId}`, TAG_BYTES)
    : `${renewals}.${tag('page', `${page} ${bookingId} ${renewals}`, TAG_BYTES)}`

interface Linked {
  id: string
  record: { links_renewed?: number }
}

/** The address names the booking, and a secret that only this server can make; it says nothing of what is in it. */
export const pageUrl = (baseUrl: string, tag: Tag, { id, record }: Linked, page: Page): string =>
  `${baseUrl}/booking/${id}/${page}/${secret(tag, id, page, record.links_renewed ?? 0)}`

/** How often links had been renewed when the server made this secret; undefined where the server did not make it. */
export function renewalsIn(tag: Tag, bookingId: string, page: Page, given: string): number | undefined {
  const renewals = Number(/^([1-9]\d{0,4})\./.exec(given.slice(0, 6))?.[1] ?? 0)
  return sameTag(secret(tag, bookingId, page, renewals), given) ? renewals : undefined
}

/** What a browser is given that has had the booking's own page open. It opens nothing. */
export const pageMark = (tag: Tag, bookingId: string): string => tag('page', `opened ${bookingId}`, TAG_BYTES)

/** What the browser is given that booked, for the page of the form alone. From there it leads to the booking's own page. */
export const sentMark = (tag: Tag, bookingId: string): string => tag('page', `sent ${bookingId}`, TAG_BYTES)

export const isSentMark = (tag: Tag, bookingId: string, given: string): boolean =>
  sameTag(sentMark(tag, bookingId), given)

export const isPageMark = (tag: Tag, bookingId: string, given: string): boolean =>
  sameTag(pageMark(tag, bookingId), given)

import { isEqualInConstantTime, type Tag } from '../../protocol/tags.ts'

/** The booking pages in the buyer's browser. A link 'for a task' may also go to a person who does only that task. */
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

/** Whether only a person with full access to the booking gets this page link. */
export const needsFullAccess = (page: Page): boolean => pages[page] === 'of the buyer'

const TAG_BYTES = 24

/** The staff may renew the page links of a booking. The number of renewals stands before the secret and is part of it. */
const secret = (tag: Tag, bookingId: string, page: Page, renewals: number) =>
  renewals === 0
    ? tag('page', `${page} ${bookingId}`, TAG_BYTES)
    : `${renewals}.${tag('page', `${page} ${bookingId} ${renewals}`, TAG_BYTES)}`

interface Linked {
  id: string
  record: { links_renewed?: number }
}

/** The URL has the booking's id and a secret that only this server can compute. It has no details of the booking. */
export const pageUrl = (baseUrl: string, tag: Tag, { id, record }: Linked, page: Page): string =>
  `${baseUrl}/booking/${id}/${page}/${secret(tag, id, page, record.links_renewed ?? 0)}`

/** The number of renewals in a secret that this server made; undefined for any other secret. */
export function renewalsIn(tag: Tag, bookingId: string, page: Page, value: string): number | undefined {
  const renewals = Number(/^([1-9]\d{0,4})\./.exec(value.slice(0, 6))?.[1] ?? 0)
  return isEqualInConstantTime(secret(tag, bookingId, page, renewals), value) ? renewals : undefined
}

/** A cookie value for a browser that opened the booking's own page. It grants no access. */
export const openedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `opened ${bookingId}`, TAG_BYTES)

/**
 * A cookie value for the browser that submitted the booking form, valid on the form's page. From there it leads to the
 * booking's own page.
 */
export const submittedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `sent ${bookingId}`, TAG_BYTES)

export const isSubmittedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(submittedCookieValue(tag, bookingId), value)

export const isOpenedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(openedCookieValue(tag, bookingId), value)

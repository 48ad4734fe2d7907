import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'

/**
 * The web pages of one booking. A page 'of the buyer' gives full access to the booking. A page 'for a task' shows only
 * one task, such as the payment. The buyer can safely forward its link, for example to the person who pays.
 */
const pages = {
  manage: 'of the buyer',
  cancel: 'of the buyer',
  move: 'of the buyer',
  attend: 'of the buyer',
  waiver: 'for a task',
  intake: 'for a task',
  payment: 'for a task',
} as const
export type Page = keyof typeof pages

export const PAGES = Object.keys(pages)

export const isPage = (name: string): name is Page => Object.hasOwn(pages, name)

export const needsFullAccess = (page: Page): boolean => pages[page] === 'of the buyer'

const TAG_BYTES = 24

/**
 * Computes the secret in the web address of a booking page. The staff can renew the links of a booking, for example if
 * a link has leaked. All pages of the booking then get new secrets, which begin with the number of renewals.
 */
const secret = (tag: Tag, bookingId: string, page: Page, renewals: number) =>
  renewals === 0
    ? tag('page', `${page} ${bookingId}`, TAG_BYTES)
    : `${renewals}.${tag('page', `${page} ${bookingId} ${renewals}`, TAG_BYTES)}`

interface Linked {
  id: string
  record: { links_renewed?: number }
}

/**
 * Returns the web address of a page of the booking. It contains the booking id, the name of the page, and a secret that
 * only this server can compute. It contains no other details of the booking.
 */
export const pageUrl = (baseUrl: string, tag: Tag, { id, record }: Linked, page: Page): string =>
  `${baseUrl}/booking/${id}/${page}/${secret(tag, id, page, record.links_renewed ?? 0)}`

/**
 * Returns how often the staff had renewed the page links of the booking when the server made this secret. The result is
 * undefined if this server did not make the secret.
 */
export function renewalsIn(tag: Tag, bookingId: string, page: Page, value: string): number | undefined {
  const renewals = Number(/^([1-9]\d{0,4})\./.exec(value.slice(0, 6))?.[1] ?? 0)
  return isEqualInConstantTime(secret(tag, bookingId, page, renewals), value) ? renewals : undefined
}

/**
 * The value of a cookie that marks a browser in which a page of the booking was open. The cookie gives no access to the
 * booking.
 */
export const openedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `opened ${bookingId}`, TAG_BYTES)

/**
 * The value of a cookie that marks the browser that submitted the booking form. If the browser opens the form again,
 * the server leads the buyer to the page of the booking.
 */
export const submittedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `sent ${bookingId}`, TAG_BYTES)

export const isSubmittedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(submittedCookieValue(tag, bookingId), value)

export const isOpenedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(openedCookieValue(tag, bookingId), value)

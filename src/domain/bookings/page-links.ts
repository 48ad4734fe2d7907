import { isEqualInConstantTime, type Tag } from '../../protocol/tags.ts'

/**
 * The pages of one booking for its buyer. The buyer may forward a link 'for a task' to a person who does only that
 * task, such as the payment.
 */
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

/** Whether a page is only for a person with full access to the booking. */
export const needsFullAccess = (page: Page): boolean => pages[page] === 'of the buyer'

const TAG_BYTES = 24

/**
 * The secret part of a page link. The staff may renew the page links of a booking: the number of renewals is a part of
 * the secret and stands before it.
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
 * The address of a page of the booking. It contains the id of the booking and a secret that only this server can
 * compute, but no details of the booking.
 */
export const pageUrl = (baseUrl: string, tag: Tag, { id, record }: Linked, page: Page): string =>
  `${baseUrl}/booking/${id}/${page}/${secret(tag, id, page, record.links_renewed ?? 0)}`

/** The number of renewals in the secret of a page link. Undefined if this server did not make the secret. */
export function renewalsIn(tag: Tag, bookingId: string, page: Page, value: string): number | undefined {
  const renewals = Number(/^([1-9]\d{0,4})\./.exec(value.slice(0, 6))?.[1] ?? 0)
  return isEqualInConstantTime(secret(tag, bookingId, page, renewals), value) ? renewals : undefined
}

/** The value of a cookie for a browser that opened the page of the booking. The cookie grants no access. */
export const openedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `opened ${bookingId}`, TAG_BYTES)

/**
 * The value of a cookie for the browser that submitted the booking form. The cookie is valid on the page of the form,
 * and leads from there to the page of the booking.
 */
export const submittedCookieValue = (tag: Tag, bookingId: string): string => tag('page', `sent ${bookingId}`, TAG_BYTES)

export const isSubmittedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(submittedCookieValue(tag, bookingId), value)

export const isOpenedCookieValue = (tag: Tag, bookingId: string, value: string): boolean =>
  isEqualInConstantTime(openedCookieValue(tag, bookingId), value)

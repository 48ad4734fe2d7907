import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  isOpenedCookieValue,
  isSubmittedCookieValue,
  openedCookieValue,
  submittedCookieValue,
} from '../../domain/bookings/booking-page-links.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { cookieOf, framedCookieAttributes } from './cookies.ts'

const OPENED = 'usp_booking'
const SENT = 'usp_booked'
/**
 * The lifetime in seconds of the cookie that proves who sent the form of a booking. A form token has the same lifetime.
 */
const SENT_SECONDS = 3 * 3600

type RequestWithHeaders = Pick<FastifyRequest, 'headers'>

/**
 * Whether a cookie says that this browser opened the main page of the booking before. The cookie only makes links
 * visible, and gives no access.
 */
export const wasOpened = (request: RequestWithHeaders, { tag }: Dependencies<'tag'>, bookingId: string) =>
  isOpenedCookieValue(tag, bookingId, cookieOf(request, OPENED))

/** Whether this browser sent the form that created the booking. */
export const hasSent = (request: RequestWithHeaders, { tag }: Dependencies<'tag'>, bookingId: string) =>
  isSubmittedCookieValue(tag, bookingId, cookieOf(request, SENT))

/**
 * Sets a cookie that says that this browser opened the main page of a booking. The cookie also works if the website of
 * the business shows the page in a frame.
 */
export function markOpened(reply: FastifyReply, { tag, config }: Dependencies<'tag' | 'config'>, bookingId: string) {
  const mark = openedCookieValue(tag, bookingId)
  reply.header('set-cookie', `${OPENED}=${mark}; Path=/booking/${bookingId}; ${framedCookieAttributes(config.baseUrl)}`)
}

/**
 * Sets two cookies in the browser that created the booking: one for the booking pages, and one for the page with the
 * form.
 */
export function markSent(
  reply: FastifyReply,
  dependencies: Dependencies<'tag' | 'config'>,
  { bookingId, path }: { bookingId: string; path: string },
) {
  markOpened(reply, dependencies, bookingId)
  const mark = submittedCookieValue(dependencies.tag, bookingId)
  const attributes = `Path=${path}; Max-Age=${SENT_SECONDS}; ${framedCookieAttributes(dependencies.config.baseUrl)}`
  reply.header('set-cookie', `${SENT}=${mark}; ${attributes}`)
}

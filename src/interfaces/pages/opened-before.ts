import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPageMark, isSentMark, pageMark, sentMark } from '../../domain/bookings/page-links.ts'
import type { Means } from '../../protocol/means.ts'
import { cookieOf, everywhere } from './cookies.ts'

const OPENED = 'usp_booking'
const SENT = 'usp_booked'
/** As long as its form could be sent. */
const SENT_SECONDS = 3 * 3600

type Asked = Pick<FastifyRequest, 'headers'>

/** Whether this browser has had the booking's own page open. Its mark shows links; it opens nothing. */
export const wasOpened = (request: Asked, { tag }: Means<'tag'>, bookingId: string) =>
  isPageMark(tag, bookingId, cookieOf(request, OPENED))

/** Whether this browser has sent the form that made the booking. */
export const hasSent = (request: Asked, { tag }: Means<'tag'>, bookingId: string) =>
  isSentMark(tag, bookingId, cookieOf(request, SENT))

/** Told to pages of this booking alone; also where they stand in a frame on the business's own site. */
export function markOpened(reply: FastifyReply, { tag, config }: Means<'tag' | 'config'>, bookingId: string) {
  const mark = pageMark(tag, bookingId)
  reply.header('set-cookie', `${OPENED}=${mark}; Path=/booking/${bookingId}; ${everywhere(config.baseUrl)}`)
}

/** Who has just booked is known on the pages of the booking, and on that of the form. */
export function markSent(
  reply: FastifyReply,
  means: Means<'tag' | 'config'>,
  { bookingId, path }: { bookingId: string; path: string },
) {
  markOpened(reply, means, bookingId)
  const mark = sentMark(means.tag, bookingId)
  const attributes = `Path=${path}; Max-Age=${SENT_SECONDS}; ${everywhere(means.config.baseUrl)}`
  reply.header('set-cookie', `${SENT}=${mark}; ${attributes}`)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPageMark, pageMark } from '../../bookings/page-links.ts'
import type { Means } from '../../protocol/means.ts'
import { cookieOf } from './cookies.ts'

const COOKIE = 'usp_booking'

/** Whether this browser has had the booking's own page open. Its mark shows links; it opens nothing. */
export const wasOpened = (request: Pick<FastifyRequest, 'headers'>, { tag }: Means<'tag'>, bookingId: string) =>
  isPageMark(tag, bookingId, cookieOf(request, COOKIE))

/** Told to pages of this booking alone; also where they stand in a frame on the business's own site. */
export function markOpened(reply: FastifyReply, { tag, config }: Means<'tag' | 'config'>, bookingId: string) {
  const everywhere = config.baseUrl.startsWith('https:') ? 'None; Secure; Partitioned' : 'Lax'
  const mark = pageMark(tag, bookingId)
  reply.header('set-cookie', `${COOKIE}=${mark}; Path=/booking/${bookingId}; HttpOnly; SameSite=${everywhere}`)
}

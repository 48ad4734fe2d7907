import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { feedCalendar } from '../../calendar/feed-calendar.ts'
import { FEED_PATH, feedUrl } from '../../calendar/feed-url.ts'
import { agendaSince, feedOfToken } from '../../calendar/queries.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import { DAY } from '../../time/units.ts'
import { counted, guarded } from '../http/guards.ts'
import { isKnown } from '../http/is-known.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { CALENDAR_TYPE } from './serve-booking.ts'

const PAST = 30 * DAY

/** Calendars of the staff, each at a secret address; whoever has none is told that there is nothing. */
export function serveCalendarFeeds(app: FastifyInstance, means: CountingMeans & Means<'config'>) {
  const { db, business, clock, config } = means
  app.get<{ Params: { token: string } }>(
    FEED_PATH,
    guarded('calendar', counted(means, 'calendar')),
    async (request, reply) => {
      const { token } = request.params
      const feed = await feedOfToken(db, token)
      if (!feed) return reply.callNotFound()
      const now = clock()
      const agenda = await agendaSince(db, new Date(now.getTime() - PAST), feed.resource_id)
      const { parts, etag } = await whole(
        feedCalendar(feed, agenda, await business.get(), feedUrl(config.baseUrl, token), now),
      )
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      return reply.type(CALENDAR_TYPE).header('content-length', length).send(Readable.from(parts))
    },
  )
  refuseOtherMethods(app, FEED_PATH, ['GET'])
}

/** A long one is never in one piece: to hash or to send it would keep others waiting. */
async function whole(calendar: AsyncGenerator<string>): Promise<{ parts: Buffer[]; etag: string }> {
  const digest = createHash('sha256')
  const parts: Buffer[] = []
  for await (const text of calendar) {
    const part = Buffer.from(text)
    digest.update(part)
    parts.push(part)
  }
  return { parts, etag: `"${digest.digest('base64url').slice(0, 22)}"` }
}

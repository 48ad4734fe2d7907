import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { FEED_PATH, feedUrl } from '../../domain/calendar/manage-calendar-feeds.ts'
import { agendaSince, type FeedRow, feedOfToken } from '../../domain/calendar/queries.ts'
import { feedCalendar } from '../../domain/calendar/write-calendar-feed.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { singleFlight } from '../../infra/util/memoize.ts'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isEtagMatch } from '../http/fixed-response.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { CALENDAR_TYPE } from './serve-booking-calendar.ts'

const PAST_MS = 30 * DAY

/** Serves the calendar feeds of the staff at secret URLs. The answer to an unknown URL has status 404. */
export function serveCalendarFeeds(app: FastifyInstance, dependencies: CountingDependencies & Dependencies<'config'>) {
  const { db, business, clock, config } = dependencies
  const inProgress = new Map<string, Promise<BuiltCalendar>>()
  // Building the calendar of a large business takes hundreds of megabytes of memory, so the server builds only one
  // calendar at a time.
  const inTurn = limitConcurrency(1)
  const make = async (feed: FeedRow, token: string) => {
    const now = clock()
    const agenda = await agendaSince(db, new Date(now.getTime() - PAST_MS), feed.resource_id)
    return collectParts(
      feedCalendar(feed, agenda, { business: await business.get(), url: feedUrl(config.baseUrl, token) }, now),
    )
  }
  app.get<{ Params: { token: string } }>(
    FEED_PATH,
    guarded('calendar', rateLimited(dependencies, 'calendar')),
    async (request, reply) => {
      const { token } = request.params
      const feed = await feedOfToken(db, token)
      if (!feed) return reply.callNotFound()
      const { parts, etag } = await singleFlight(inProgress, feed.id, () => inTurn(() => make(feed, token)))
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (isEtagMatch(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      return reply.type(CALENDAR_TYPE).header('content-length', length).send(Readable.from(parts))
    },
  )
  refuseOtherMethods(app, FEED_PATH, ['GET'])
}

interface BuiltCalendar {
  parts: Buffer[]
  etag: string
}

/**
 * Collects the text of a calendar as a list of parts, because hashing or sending one long buffer would block the event
 * loop.
 */
async function collectParts(calendar: AsyncGenerator<string>): Promise<BuiltCalendar> {
  const digest = createHash('sha256')
  const parts: Buffer[] = []
  for await (const text of calendar) {
    const part = Buffer.from(text)
    digest.update(part)
    parts.push(part)
  }
  return { parts, etag: `"${digest.digest('base64url').slice(0, 22)}"` }
}

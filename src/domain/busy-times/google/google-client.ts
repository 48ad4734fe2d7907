import type { EgressResponse } from '../../../core/egress/call-external-url.ts'
import { endpointsOf } from '../../../infra/config/calendar-providers.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Bounds } from '../../../protocol/parse-json-safely.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { MAX_CALENDAR_BYTES, pauseOf, problemOfStatus } from '../fetch-calendar.ts'
import { documentIfAny, documentOf, senderTo } from '../oauth/provider-client.ts'

/** The largest answer. 1,000 events have about 400 kB. */
export const MAX_PAGE_BYTES = 1024 * 1024
const MAX_PAGES = 40
export const GOOGLE_BOUNDS: Bounds = { deepest: 12, mostValues: 50_000, longestText: 16 * 1024 }

type Document = Readonly<Record<string, unknown>>

export interface GoogleClient {
  /**
   * Gets all pages of a list, one after the other. `gone`: the calendar or the event does not exist, or the sync token is
   * too old.
   */
  list(path: string, query: Record<string, string>, take: (page: Document) => void): Promise<'listed' | 'gone'>
  /** Sends a document. Returns the answer with any status. */
  post(path: string, document: object): Promise<EgressResponse>
}

/** Makes a client that reads the calendars of one account. */
export function googleClient(accessToken: string, config: Config): GoogleClient {
  const { calendars } = endpointsOf('google', config)
  const send = senderTo(accessToken, config, { mostBytes: MAX_CALENDAR_BYTES, mostPageBytes: MAX_PAGE_BYTES })
  return {
    async list(path, query, take) {
      const parameters = new URLSearchParams(query)
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = await send(`${calendars}${path}?${parameters}`)
        if ([404, 410].includes(answer.status) || (answer.status === 400 && 'syncToken' in query)) return 'gone'
        if (answer.status !== 200) throw problemOfAnswer(answer)
        const document = asRecord(documentOf(answer.body, GOOGLE_BOUNDS))
        take(document)
        const next = document.nextPageToken
        if (next === undefined) return 'listed'
        if (typeof next !== 'string' || next === '') throw new UnreadCalendarError('truncated')
        parameters.set('pageToken', next)
      }
      throw new UnreadCalendarError('too_large')
    },
    post: (path, document) => send(`${calendars}${path}`, { method: 'POST', document }),
  }
}

/** Google asks for a pause with one of these reasons, and the status 403 or 429. */
const LIMIT_REASONS = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'calendarUsageLimitsExceeded',
]

/** Returns the problem that the desk shows for an answer that is no list. */
function problemOfAnswer(answer: EgressResponse): UnreadCalendarError {
  if (answer.status === 401) return new UnreadCalendarError('access_revoked')
  if (answer.status !== 403) return problemOfStatus(answer)
  const { errors } = asRecord(asRecord(documentIfAny(answer.body, GOOGLE_BOUNDS)).error)
  const reason = Array.isArray(errors) ? String(asRecord(errors[0]).reason) : ''
  if (LIMIT_REASONS.includes(reason))
    return new UnreadCalendarError('unreachable', pauseOf(answer.headers['retry-after']))
  if (reason === 'accessNotConfigured') return new UnreadCalendarError('app_refused')
  if (reason === 'insufficientPermissions') return new UnreadCalendarError('access_revoked')
  return new UnreadCalendarError('no_calendar')
}

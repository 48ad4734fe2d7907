import {
  callOutside,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../../core/egress/call-external-url.ts'
import { googleEndpoints } from '../../../infra/config/google-endpoints.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { type Bounds, readJson, UnreadableDocumentError } from '../../../protocol/parse-json-safely.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { MAX_CALENDAR_BYTES, pauseOf, problemOfEgress, problemOfStatus } from '../fetch-calendar.ts'

/** The longest time of all calls for one read of an account, in milliseconds. */
const TIMEOUT_MS = 60_000
/** The largest answer. 1,000 events have about 400 kB. */
export const MAX_PAGE_BYTES = 1024 * 1024
const MAX_PAGES = 40
const BOUNDS: Bounds = { deepest: 12, mostValues: 50_000, longestText: 16 * 1024 }

type Document = Readonly<Record<string, unknown>>

export interface GoogleClient {
  /**
   * Gets all pages of a list, one after the other. `gone`: the calendar or the event does not exist, or the sync token is
   * too old.
   */
  list(path: string, query: Record<string, string>, take: (page: Document) => void): Promise<'listed' | 'gone'>
  /** Sends a document, and returns the answer with whatever status. */
  post(path: string, document: object): Promise<EgressResponse>
}

/**
 * Makes a client that reads the calendars of one account. All its calls together have one limit of time, and one of
 * bytes. Only the fixed addresses of Google get the token.
 */
export function googleClient(accessToken: string, config: Config): GoogleClient {
  const end = performance.now() + TIMEOUT_MS
  let bytesLeft = MAX_CALENDAR_BYTES
  const { calendars } = googleEndpoints(config.googleApiBase)
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'accept-encoding': 'identity' }

  async function send(path: string, request: Pick<EgressRequest, 'method' | 'headers' | 'body'>) {
    const timeout = Math.max(1, Math.round(end - performance.now()))
    const mostBytes = Math.min(bytesLeft, MAX_PAGE_BYTES)
    const answer = await callOutside(`${calendars}${path}`, { ...request, timeout, mostBytes }, config).catch(
      (error: unknown) => {
        throw error instanceof EgressError ? problemOfEgress(error) : error
      },
    )
    bytesLeft = Math.max(1, bytesLeft - answer.body.length)
    return answer
  }

  return {
    async list(path, query, take) {
      const parameters = new URLSearchParams(query)
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = await send(`${path}?${parameters}`, { headers })
        if ([404, 410].includes(answer.status) || (answer.status === 400 && 'syncToken' in query)) return 'gone'
        if (answer.status !== 200) throw problemOfAnswer(answer)
        const document = asRecord(documentOf(answer.body))
        take(document)
        const next = document.nextPageToken
        if (next === undefined) return 'listed'
        if (typeof next !== 'string' || next === '') throw new UnreadCalendarError('truncated')
        parameters.set('pageToken', next)
      }
      throw new UnreadCalendarError('too_large')
    },
    post: (path, document) =>
      send(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(document)),
      }),
  }
}

/** Parses an answer of Google. An answer that is cut off is no JSON document. */
export function documentOf(body: Buffer): unknown {
  try {
    return readJson(body, BOUNDS)
  } catch (error) {
    throw error instanceof UnreadableDocumentError ? new UnreadCalendarError('truncated') : error
  }
}

/** The reasons with which Google asks for a pause. It sends them with the status 403 or 429. */
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
  const reason = reasonOf(answer.body)
  if (LIMIT_REASONS.includes(reason))
    return new UnreadCalendarError('unreachable', pauseOf(answer.headers['retry-after']))
  if (reason === 'accessNotConfigured') return new UnreadCalendarError('app_refused')
  if (reason === 'insufficientPermissions') return new UnreadCalendarError('access_revoked')
  return new UnreadCalendarError('no_calendar')
}

function reasonOf(body: Buffer): string {
  try {
    const { errors } = asRecord(asRecord(readJson(body, BOUNDS)).error)
    return Array.isArray(errors) ? String(asRecord(errors[0]).reason) : ''
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return ''
    throw error
  }
}

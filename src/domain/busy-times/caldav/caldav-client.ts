import {
  callOutside,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../../core/egress/call-external-url.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { isAuthorityTooLong } from '../../../infra/net/parse-url.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { isRedirect, MAX_CALENDAR_BYTES, MAX_REDIRECTS, problemOfEgress, problemOfStatus } from '../fetch-calendar.ts'
import { type CaldavAccount, mayLearnPassword } from './caldav-account.ts'
import { type DavResponse, MultistatusError, readMultistatus } from './multistatus.ts'

/** The longest time of all calls for one read of an account, in milliseconds. */
const TIMEOUT_MS = 60_000
/** The largest answer without events. A list of 100 calendars, or of 500 changes, has about 100 kB. */
export const MAX_LIST_BYTES = 128 * 1024
const MAX_LIST_ELEMENTS = 10_000

export interface DavCall {
  method: 'PROPFIND' | 'REPORT' | 'GET' | 'PUT' | 'DELETE'
  url: string
  depth?: '0' | '1'
  body?: string
  /** `If-Match`, `If-None-Match` and the type of the body. Without a type, the body is XML. */
  headers?: Record<string, string>
  /** Whether the answer contains events. It can then be as large as a calendar. */
  hasEvents?: true
}

/** A list of resources of the CalDAV server, and the address that has answered. */
export interface DavList {
  url: string
  responses: DavResponse[]
  token: string | undefined
}

export interface CaldavClient {
  /** Sends a call, and returns the answer with whatever status. */
  call(request: DavCall): Promise<EgressResponse & { url: string }>
  /** Sends a call whose answer is a list of resources. */
  list(request: DavCall): Promise<DavList>
}

/**
 * Makes a client that calls the server of one account. All its calls together have one limit of time, and one of bytes. It
 * sends the password only to the origin of the account, and follows redirects only there.
 */
export function caldavClient(account: CaldavAccount, config: Config): CaldavClient {
  const end = performance.now() + TIMEOUT_MS
  let bytesLeft = MAX_CALENDAR_BYTES
  const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`

  async function send(url: string, { method, depth, body, headers, hasEvents }: DavCall): Promise<EgressResponse> {
    if (!mayLearnPassword(new URL(url).origin, account)) throw new UnreadCalendarError('other_host')
    const request: EgressRequest = {
      method,
      headers: {
        authorization,
        ...(depth !== undefined && { depth }),
        ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
        accept: method === 'GET' ? 'text/calendar' : 'application/xml, text/xml',
        'accept-encoding': 'identity',
        ...headers,
      },
      ...(body !== undefined && { body: Buffer.from(body) }),
      timeout: Math.max(1, Math.round(end - performance.now())),
      mostBytes: hasEvents ? bytesLeft : MAX_LIST_BYTES,
    }
    const answer = await callOutside(url, request, config).catch((error: unknown) => {
      throw error instanceof EgressError ? problemOfEgress(error) : error
    })
    if (hasEvents) bytesLeft = Math.max(1, bytesLeft - answer.body.length)
    if (answer.status === 401) throw new UnreadCalendarError('password_refused')
    if (answer.status === 429 || answer.status === 408 || (answer.status >= 500 && answer.status !== 501))
      throw problemOfStatus(answer)
    return answer
  }

  async function call(request: DavCall) {
    let { url } = request
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await send(url, request)
      const { location } = answer.headers
      if (!isRedirect(answer) || typeof location !== 'string') return { ...answer, url }
      url = resolved(location, url)
    }
    throw new UnreadCalendarError('refused')
  }

  return {
    call,
    async list(request) {
      const { status, body, url } = await call(request)
      if (status !== 207) throw new UnreadCalendarError('refused')
      return { url, ...listOf(body) }
    },
  }
}

/** Reads an answer of a CalDAV server as a list of resources. An answer that is cut off is no list. */
export function listOf(body: Uint8Array): Pick<DavList, 'responses' | 'token'> {
  const responses: DavResponse[] = []
  try {
    const token = readMultistatus(body, (one) => responses.push(one), MAX_LIST_ELEMENTS)
    return { responses, token }
  } catch (error) {
    if (!(error instanceof MultistatusError)) throw error
    throw new UnreadCalendarError(error.isBegun ? 'truncated' : 'not_calendar')
  }
}

const MAX_HREF_CHARACTERS = 2_000

/** Resolves an address that the CalDAV server has sent. */
export function resolved(href: string, base: string): string {
  const isUsable = href !== '' && href.length <= MAX_HREF_CHARACTERS && !isAuthorityTooLong(href)
  const url = isUsable ? URL.parse(href, base) : null
  if (!url) throw new UnreadCalendarError('not_calendar')
  return url.href
}

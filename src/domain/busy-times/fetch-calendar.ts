import { callOutside, EgressError, type EgressResponse } from '../../core/egress/call-external-url.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { isAuthorityTooLong } from '../../infra/net/parse-url.ts'
import { HOUR, SECOND } from '../../infra/time/time-units.ts'
import { type Problem, UnreadCalendarError } from './calendar-problems.ts'

/** The largest calendar that the server reads. A calendar with 20,000 events has about 8 MB. */
export const MAX_CALENDAR_BYTES = 10 * 1024 * 1024
/** The longest time in which a provider must send the whole calendar, in milliseconds. */
const TIMEOUT_MS = 30_000
export const MAX_REDIRECTS = 3
/** The longest pause that a provider can ask for after a failure, in milliseconds. */
const LONGEST_PAUSE_MS = 6 * HOUR
const MAX_VALIDATOR_CHARACTERS = 500

export interface Validators {
  etag: string | null
  last_modified: string | null
}

export interface FetchedCalendar extends Validators {
  content: Buffer
}

/**
 * Gets a calendar from its address. With validators, returns undefined if the calendar has not changed since. The
 * server asks for no compression, so that a small answer cannot become a large one.
 */
export async function fetchCalendar(
  address: string,
  validators: Validators,
  config: Config,
): Promise<FetchedCalendar | undefined> {
  const headers = {
    accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'accept-encoding': 'identity',
    ...(validators.etag !== null && { 'if-none-match': validators.etag }),
    ...(validators.last_modified !== null && { 'if-modified-since': validators.last_modified }),
  }
  const answer = await follow(address, headers, config)
  const isConditional = validators.etag !== null || validators.last_modified !== null
  if (answer.status === 304 && isConditional) return undefined
  if (answer.status !== 200) throw problemOfStatus(answer)
  return {
    content: answer.body,
    etag: validatorOf(answer.headers.etag),
    last_modified: validatorOf(answer.headers['last-modified']),
  }
}

/** Follows a few redirects. The egress guard checks each address. All calls together have one time limit. */
async function follow(address: string, headers: Record<string, string>, config: Config): Promise<EgressResponse> {
  const end = performance.now() + TIMEOUT_MS
  let next = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const timeout = Math.max(1, Math.round(end - performance.now()))
    const answer = await callOutside(next, { headers, timeout, mostBytes: MAX_CALENDAR_BYTES }, config).catch(
      (error: unknown) => {
        throw error instanceof EgressError ? problemOfEgress(error) : error
      },
    )
    const { location } = answer.headers
    if (!isRedirect(answer) || typeof location !== 'string') return answer
    const target = isAuthorityTooLong(location) ? null : URL.parse(location, next)
    if (!target) throw new UnreadCalendarError('refused')
    next = target.href
  }
  throw new UnreadCalendarError('refused')
}

export const isRedirect = ({ status }: EgressResponse): boolean => [301, 302, 303, 307, 308].includes(status)

const PROBLEM_OF_REASON = {
  forbidden: 'address_forbidden',
  unreachable: 'unreachable',
  oversized: 'too_large',
} as const satisfies Record<EgressError['reason'], Problem>

export const problemOfEgress = ({ reason }: EgressError): UnreadCalendarError =>
  new UnreadCalendarError(PROBLEM_OF_REASON[reason])

export const problemOfStatus = (answer: EgressResponse): UnreadCalendarError =>
  failureOf(answer) ?? new UnreadCalendarError('refused')

/** Returns the problem if the same call can succeed later. */
export const failureOf = ({ status, headers }: EgressResponse): UnreadCalendarError | undefined =>
  status === 429 || status === 408 || status >= 500
    ? new UnreadCalendarError('unreachable', pauseOf(headers['retry-after']))
    : undefined

/** The pause that a provider asks for, in milliseconds. */
export const pauseOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header) * SECOND, LONGEST_PAUSE_MS)
    : undefined

/** A validator that is too long for a header is not used. Then the server gets the whole calendar each time. */
const validatorOf = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header.length <= MAX_VALIDATOR_CHARACTERS && /^[\x20-\x7e]+$/.test(header)
    ? header
    : null

import { hash } from 'node:crypto'
import type { WriteOutcome } from '../../core/jobs/queue-worker.ts'
import { unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type Problem, UnreadCalendarError } from './calendar-problems.ts'
import { calendarWindow } from './calendar-window.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import type { Span } from './reader/busy-time-list.ts'
import { CalendarError, type CalendarFault } from './reader/event-error.ts'
import type { CalendarContent } from './reader/read-calendar.ts'
import { readInProcess } from './reader/read-in-process.ts'
import { busyTimesWrite, type LeasedSource, type ReadState, readEnd, withoutOwnEvents } from './source-queries.ts'

export type CalendarDependencies = Dependencies<
  'business' | 'clock' | 'clockFault' | 'config' | 'log' | 'makeChange' | 'calendarKey'
> & { db: OpenDatabase }

/** The pause between two reads, in milliseconds. A calendar can ask for a longer pause, up to one hour. */
export const PAUSE_MS = 10 * MINUTE
const LONGEST_PAUSE_MS = HOUR
/** The server reads each calendar whole at least once a week, and computes the times of its repeating events again. */
const WHOLE_EVERY_MS = 7 * DAY
/** The pauses after one, two and more failures in a row. */
const PAUSES_AFTER_FAILURE = [MINUTE, 5 * MINUTE, PAUSE_MS, 30 * MINUTE, HOUR]

/** The result of a read. `content` is undefined if the calendar has not changed. */
type Reading = { content: undefined } | (ReadContent & Pick<ReadState, 'etag' | 'last_modified' | 'content_digest'>)
type ReadContent = { content: CalendarContent; window: Span }

/** Reads a calendar once. Returns the function that stores the result. A failed read changes no busy time. */
export async function readSource(dependencies: CalendarDependencies, source: LeasedSource): Promise<WriteOutcome> {
  const now = dependencies.clock()
  try {
    const reading = await read(dependencies, source, now)
    return () => storeReading(dependencies, source, reading, now)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return () => storeFailure(dependencies, source, error, now)
  }
}

async function read(dependencies: CalendarDependencies, source: LeasedSource, now: Date): Promise<Reading> {
  const { business, calendarKey, config } = dependencies
  const definition = await business.get()
  const window = calendarWindow(definition, now)
  const { etag, last_modified } = source
  const isWhole = isWholeDue(source, window, now)
  const validators = isWhole ? { etag: null, last_modified: null } : { etag, last_modified }
  const fetched = await fetchCalendar(openAddress(source, calendarKey), validators, config)
  const content_digest = fetched && digestOf(fetched.content)
  if (!content_digest || (!isWhole && source.content_digest?.equals(content_digest))) return { content: undefined }
  const zone = definition?.business.timezone ?? 'UTC'
  const content = await readInProcess({
    content: fetched.content,
    zone,
    window,
  }).catch((error: unknown) => {
    throw error instanceof CalendarError ? new UnreadCalendarError(PROBLEM_OF_FAULT[error.fault]) : error
  })
  return { content, window, content_digest, etag: fetched.etag, last_modified: fetched.last_modified }
}

/**
 * Returns a digest of the calendar without the times at which it was written. Some providers, such as Google, write the
 * current time into each event.
 */
const digestOf = (content: Buffer): Buffer =>
  hash('sha256', content.toString('latin1').replace(/^DTSTAMP[;:].*$/gm, ''), 'buffer')

const PROBLEM_OF_FAULT = {
  not_calendar: 'not_calendar',
  truncated: 'truncated',
  too_many_events: 'too_large',
  too_complex: 'too_large',
} as const satisfies Record<CalendarFault, Problem>

/**
 * Whether the server needs the whole calendar, even if it has not changed. It does so once a week, and if the services
 * can now be booked further ahead.
 */
function isWholeDue({ whole_read_at, expanded_until }: LeasedSource, window: Span, now: Date): boolean {
  if (whole_read_at === null || expanded_until === null) return true
  const age = now.getTime() - whole_read_at.getTime()
  return age >= WHOLE_EVERY_MS || expanded_until.getTime() < window[1] - age - 2 * DAY
}

function openAddress({ address: sealed }: LeasedSource, key: CalendarDependencies['calendarKey']): string {
  const address = unsealIfPossible(key, sealed)
  if (address === undefined) throw new UnreadCalendarError('address_lost')
  return address
}

async function storeReading(
  { makeChange }: CalendarDependencies,
  source: LeasedSource,
  reading: Reading,
  now: Date,
): Promise<void> {
  const pauseSeconds = reading.content ? reading.content.pauseSeconds : source.pause_seconds
  const success: ReadState = {
    read_at: now,
    problem: null,
    failing_since: null,
    failures: 0,
    next_at: new Date(now.getTime() + pauseOf(pauseSeconds)),
  }
  await makeChange(async (tx) => {
    if (!reading.content) return readEnd(tx, source, success)
    const { content, window, ...validators } = reading
    const whole = {
      ...validators,
      whole_read_at: now,
      expanded_until: new Date(window[1]),
      unread_events: content.unread,
      pause_seconds: content.pauseSeconds === null ? null : Math.round(pauseOf(content.pauseSeconds) / SECOND),
    }
    if (await readEnd(tx, source, { ...success, ...whole }))
      await busyTimesWrite(tx, source.id, await withoutOwnEvents(tx, content.times))
  })
}

const pauseOf = (seconds: number | null): number =>
  Math.min(Math.max((seconds ?? 0) * SECOND, PAUSE_MS), LONGEST_PAUSE_MS)

async function storeFailure(
  { db, log }: CalendarDependencies,
  source: LeasedSource,
  { problem, pause }: UnreadCalendarError,
  now: Date,
): Promise<void> {
  const usual = PAUSES_AFTER_FAILURE[source.failures] ?? HOUR
  const next_at = new Date(now.getTime() + Math.max(usual, pause ?? 0))
  await readEnd(db, source, { problem, failing_since: now, failures: source.failures + 1, next_at })
  if (source.failures === 0)
    log.warn({ source: source.id, problem }, 'A calendar of another provider could not be read.')
}

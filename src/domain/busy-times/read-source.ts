import { hash } from 'node:crypto'
import type { WriteOutcome } from '../../core/jobs/queue-worker.ts'
import { seal, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { busyTimesWrite, withoutOwnEvents } from './busy-time-queries.ts'
import { accountOf } from './caldav/caldav-account.ts'
import { readAccountSource } from './caldav/read-account-source.ts'
import { UnreadCalendarError } from './calendar-problems.ts'
import type { Reading } from './calendar-reading.ts'
import { calendarWindow } from './calendar-window.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import { providerAccountOf } from './oauth/provider-account.ts'
import { readProviderSource } from './oauth/read-provider-source.ts'
import { problemOfFault } from './problem-of-fault.ts'
import type { Span } from './reader/busy-time-list.ts'
import { readInProcess } from './reader/read-in-process.ts'
import { type LeasedSource, type ReadState, readEnd } from './source-queries.ts'

export type CalendarDependencies = Dependencies<
  'business' | 'clock' | 'clockFault' | 'config' | 'log' | 'makeChange' | 'calendarKey' | 'tag'
> & { db: OpenDatabase }

/** The pause between two reads, in milliseconds. A calendar can ask for a longer pause, up to one hour. */
export const PAUSE_MS = 10 * MINUTE
const LONGEST_PAUSE_MS = HOUR
/** The server reads each calendar whole at least once a week, and computes the times of its repeating events again. */
const WHOLE_EVERY_MS = 7 * DAY
/** The pauses after one, two and more failures in a row. */
const PAUSES_AFTER_FAILURE = [MINUTE, 5 * MINUTE, PAUSE_MS, 30 * MINUTE, HOUR]

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
  const zone = definition?.business.timezone ?? 'UTC'
  const window = calendarWindow(definition, now)
  const isWhole = isWholeDue(source, window, now)
  const address = openAddress(source, calendarKey)
  const wholeState = { whole_read_at: now, expanded_until: new Date(window[1]) }
  if (source.kind !== 'ics') {
    const reading = await readAccount(dependencies, source, { address, isWhole, zone, window, now })
    return isWhole ? { ...reading, state: { ...reading.state, ...wholeState } } : reading
  }
  const { etag, last_modified } = source
  const fetched = await fetchCalendar(
    address,
    isWhole ? { etag: null, last_modified: null } : { etag, last_modified },
    config,
  )
  const content_digest = fetched && digestOf(fetched.content)
  if (!content_digest || (!isWhole && source.content_digest?.equals(content_digest)))
    return { state: {}, pauseSeconds: source.pause_seconds }
  const content = await readInProcess({ content: fetched.content, zone, window }).catch(problemOfFault)
  const { times, unread, pauseSeconds } = content
  return {
    state: {
      ...wholeState,
      content_digest,
      etag: fetched.etag,
      last_modified: fetched.last_modified,
      unread_events: unread,
      pause_seconds: pauseSeconds === null ? null : Math.round(pauseOf(pauseSeconds) / SECOND),
    },
    pauseSeconds,
    times: (tx) => withoutOwnEvents(tx, times),
  }
}

/** Reads an account: all its events, or the changes since the last read. */
function readAccount(
  dependencies: CalendarDependencies,
  { id, kind, sync_state: state }: LeasedSource,
  { address, isWhole, zone, window, now }: AccountTask,
): Promise<Reading> {
  const { config } = dependencies
  if (kind !== 'caldav') {
    const known = state && 'tokens' in state ? state : { tokens: {}, channels: {} }
    const task = { account: providerAccountOf(address), known, isWhole, zone, window }
    return readProviderSource(id, task, { ...dependencies, now })
  }
  const known = state && 'home' in state && !isWhole ? state : undefined
  return readAccountSource({ account: accountOf(address), known, zone, window, config })
}

interface AccountTask {
  address: string
  isWhole: boolean
  zone: string
  window: Span
  now: Date
}

/**
 * Returns a digest of the calendar without the times at which it was written. Some providers, such as Google, write the
 * current time into each event.
 */
const digestOf = (content: Buffer): Buffer =>
  hash('sha256', content.toString('latin1').replace(/^DTSTAMP[;:].*$/gm, ''), 'buffer')

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
  { makeChange, calendarKey }: CalendarDependencies,
  source: LeasedSource,
  { state, pauseSeconds, times, kept, secret }: Reading,
  now: Date,
): Promise<void> {
  const success: ReadState = {
    read_at: now,
    problem: null,
    failing_since: null,
    failures: 0,
    next_at: new Date(now.getTime() + pauseOf(pauseSeconds)),
    ...(secret !== undefined && { address: seal(calendarKey, secret) }),
  }
  await makeChange(async (tx) => {
    if ((await readEnd(tx, source, { ...success, ...state })) && times)
      await busyTimesWrite(tx, source.id, await times(tx), kept)
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

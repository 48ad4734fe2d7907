import type { WriteOutcome } from '../../core/jobs/queue-worker.ts'
import { unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { accountOf } from '../busy-times/caldav/caldav-account.ts'
import { caldavClient } from '../busy-times/caldav/caldav-client.ts'
import { calendarsOf } from '../busy-times/caldav/read-account.ts'
import { UnreadCalendarError } from '../busy-times/calendar-problems.ts'
import {
  type LeasedWriter,
  type WriterState,
  writerDeleteIfEmpty,
  writerEnd,
  writesDue,
  writesEnd,
} from '../busy-times/writer-queries.ts'
import { compareEvents } from './compare-events.ts'
import { writeEvent } from './write-event.ts'
import type { WritingDependencies, WritingRun } from './writing-run.ts'

/** The pause between two comparisons with the calendar, in milliseconds. A changed booking is written at once. */
export const COMPARED_EVERY_MS = 10 * MINUTE
/** The pauses after one, two and more failures in a row. */
const PAUSES_AFTER_FAILURE = [MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]
/** The maximum number of events in one run. The rest is due again at once. */
const MAX_EVENTS = 40

/** Writes the due events of one calendar, and compares the others with it if that is due. */
export async function writeCalendar(dependencies: WritingDependencies, writer: LeasedWriter): Promise<WriteOutcome> {
  const now = dependencies.clock()
  try {
    const state = await runOn(dependencies, writer, now)
    return () => storeSuccess(dependencies, writer, state, now)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return () => storeFailure(dependencies, writer, error, now)
  }
}

async function runOn(dependencies: WritingDependencies, writer: LeasedWriter, now: Date): Promise<WriterState> {
  const { business, calendarKey, config } = dependencies
  const text = unsealIfPossible(calendarKey, writer.address)
  if (text === undefined) throw new UnreadCalendarError('address_lost')
  const account = accountOf(text)
  const client = caldavClient(account, config)
  const run = { dependencies, writer, client, calendar: undefined, business: await business.get(), now }
  if (writer.calendar === null) {
    await writeDueEvents(run)
    return {}
  }
  const { home, calendars } = await calendarsOf(
    client,
    { ...account, calendars: [writer.calendar] },
    writer.home ?? undefined,
  )
  const [calendar] = calendars
  if (!calendar) throw new UnreadCalendarError('no_calendar')
  const version = calendar.ctag ?? calendar.token ?? null
  const named = { ...run, calendar: calendar.url }
  const isChanged = version === null || version !== writer.version
  const isSettled = !writer.isCheckDue || (await compareEvents(named, calendar.url, isChanged))
  const isWritten = await writeDueEvents(named)
  // Some versions are digests of the content: the version before a change is also the version after it was undone.
  if (isWritten || !isSettled) return { home, version: null }
  return { home, version: writer.isCheckDue ? version : writer.version }
}

/**
 * Writes the due events one after the other. If the CalDAV server refuses one of them, the others are written anyway.
 * Returns whether any event was due.
 */
async function writeDueEvents(run: WritingRun): Promise<boolean> {
  const { dependencies, writer } = run
  let refused: UnreadCalendarError | undefined
  const due = await writesDue(dependencies.db, writer.id, MAX_EVENTS)
  for (const { subject, until } of due)
    try {
      await writeEvent(run, subject)
      await writesEnd(dependencies.db, writer.id, subject, until)
    } catch (error) {
      if (!(error instanceof UnreadCalendarError) || error.problem !== 'not_writable') throw error
      refused = error
    }
  if (refused) throw refused
  return due.length > 0
}

async function storeSuccess(
  { db }: WritingDependencies,
  writer: LeasedWriter,
  state: WriterState,
  now: Date,
): Promise<void> {
  const next_at = new Date(now.getTime() + COMPARED_EVERY_MS)
  const success = { written_at: now, problem: null, failing_since: null, failures: 0 }
  await writerEnd(db, writer, { ...state, ...success, ...(writer.isCheckDue && { next_at }) })
  await writerDeleteIfEmpty(db, writer.id, now)
}

async function storeFailure(
  { db, log }: WritingDependencies,
  writer: LeasedWriter,
  { problem, pause }: UnreadCalendarError,
  now: Date,
): Promise<void> {
  const usual = PAUSES_AFTER_FAILURE[writer.failures] ?? HOUR
  const next_at = new Date(now.getTime() + Math.max(usual, pause ?? 0))
  await writerEnd(db, writer, { problem, failing_since: now, failures: writer.failures + 1, next_at })
  if (writer.failures === 0) log.warn({ source: writer.id, problem }, 'Bookings could not be written into a calendar.')
}

import { askChildProcess } from '../../../infra/util/ask-child-process.ts'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import type { FileTask, OwnEventTask, ReportsTask } from './calendar-reader.ts'
import { CalendarError, type CalendarFault } from './event-error.ts'
import type { CalendarContent } from './read-calendar.ts'
import type { OwnEvent } from './read-own-event.ts'
import type { ReportsContent } from './read-reports.ts'

const READER = new URL('./calendar-reader.ts', import.meta.url)
/** The server ends the process of the reader after this number of milliseconds. */
const MAX_MS = 20_000
/** The reader may use 256 MB for its objects. */
const MAX_HEAP = '--max-old-space-size=256'

/** Only two calendars are read at the same time, so that reading leaves processor time for callers. */
const inTurn = limitConcurrency(2)

/**
 * Reads the busy times of a calendar file in a separate process. Throws a `CalendarError` if the file is no complete
 * calendar, or if reading it takes too much time or memory.
 */
export const readInProcess = (message: FileTask, maxMs = MAX_MS): Promise<CalendarContent> => ask(message, maxMs)

/** Reads the busy times in answers of a CalDAV server in a separate process, like `readInProcess`. */
export const readReportsInProcess = (message: ReportsTask): Promise<ReportsContent> => ask(message, MAX_MS)

/** Reads an event that this server has written. An event that takes too long to read is unclear. */
export async function readOwnEventInProcess(message: OwnEventTask): Promise<OwnEvent> {
  try {
    return (await ask<{ event: OwnEvent }>(message, MAX_MS)).event
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error
    return 'unclear'
  }
}

const ask = <Content extends object>(message: FileTask | ReportsTask | OwnEventTask, maxMs: number): Promise<Content> =>
  inTurn(async () => {
    const answer = await askChildProcess<Content | { fault: CalendarFault }>({
      program: READER,
      message,
      maxMs,
      answerAtEnd: { fault: 'too_complex' },
      execArgv: [MAX_HEAP],
    })
    if ('fault' in answer) throw new CalendarError(answer.fault)
    return answer
  })

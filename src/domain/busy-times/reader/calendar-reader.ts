/**
 * The program of the process that reads a calendar file. Calendars come from other servers, and a hostile one can need
 * any amount of time and memory. Therefore a separate process reads it. It gets no settings and no secrets of the
 * server, and ends after one calendar.
 */

import type { Span } from './busy-time-list.ts'
import { CalendarError, type CalendarFault } from './event-error.ts'
import { type CalendarContent, readCalendar } from './read-calendar.ts'

export interface ReadingTask {
  content: Uint8Array
  /** The time zone of the business. */
  zone: string
  window: Span
}

export type ReadingAnswer = CalendarContent | { fault: CalendarFault }

process.once('message', (task: ReadingTask) => {
  process.send?.(answerTo(task), () => process.disconnect())
})

function answerTo({ content, zone, window }: ReadingTask): ReadingAnswer {
  try {
    return readCalendar(new TextDecoder().decode(content), { zone, window })
  } catch (error) {
    if (error instanceof CalendarError) return { fault: error.fault }
    throw error
  }
}

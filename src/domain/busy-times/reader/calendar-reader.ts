/**
 * The program of the process that reads a calendar file, or the answers of a CalDAV server. Calendars come from other servers, and a hostile one can need
 * any amount of time and memory. Therefore a separate process reads it. It gets no settings and no secrets of the
 * server, and ends after one calendar.
 */

import type { Span } from './busy-time-list.ts'
import { CalendarError, type CalendarFault } from './event-error.ts'
import { type CalendarContent, readCalendar } from './read-calendar.ts'
import { type OwnEvent, readOwnEvent } from './read-own-event.ts'
import { type Report, type ReportsContent, readReports } from './read-reports.ts'

interface Options {
  /** The time zone of the business. */
  zone: string
  window: Span
}

export type FileTask = Options & { content: Uint8Array }
export type ReportsTask = Options & { reports: readonly Report[] }

/** An event that this server has written. */
export interface OwnEventTask {
  ownEvent: Uint8Array
  zone: string
}

export type ReadingAnswer = CalendarContent | ReportsContent | { event: OwnEvent } | { fault: CalendarFault }

process.once('message', (task: FileTask | ReportsTask | OwnEventTask) => {
  process.send?.(answerTo(task), () => process.disconnect())
})

function answerTo(task: FileTask | ReportsTask | OwnEventTask): ReadingAnswer {
  try {
    if ('ownEvent' in task) return { event: readOwnEvent(new TextDecoder().decode(task.ownEvent), task.zone) }
    if ('reports' in task) return readReports(task.reports, task)
    return readCalendar(new TextDecoder().decode(task.content), task)
  } catch (error) {
    if (error instanceof CalendarError) return { fault: error.fault }
    throw error
  }
}

import { hash } from 'node:crypto'
import { CALDAV, type DavResponse, MultistatusError, readMultistatus } from '../caldav/multistatus.ts'
import { keyOf } from '../caldav/object-keys.ts'
import type { BusyTime, Span } from './busy-time-list.ts'
import { CalendarError } from './event-error.ts'
import { MAX_BUSY_TIMES, readCalendar } from './read-calendar.ts'

/** About 20,000 events have this number of XML elements. */
const MAX_ELEMENTS = 250_000

/** The answers of a CalDAV server about the events of one calendar. */
export interface Report {
  calendar: string
  bodies: Uint8Array[]
  /** The addresses of the events, if the server asked only for these. */
  asked: string[]
}

export interface ObjectTime extends BusyTime {
  /** The digests of the addresses of the calendar, and of the object with the event. */
  collection: Uint8Array
  object: Uint8Array
}

export interface ReportsContent {
  times: ObjectTime[]
  /** The number of objects and events that the server cannot read. */
  unread: number
  /** The keys of the objects that the server cannot read. They keep blocking their former times. */
  unreadable: string[]
}

/**
 * Reads the busy times in answers of a CalDAV server. If an answer is cut off, or an event is missing in it, the function
 * throws an error, because a missing event must not free its time.
 */
export function readReports(reports: readonly Report[], options: { zone: string; window: Span }): ReportsContent {
  const content: ReportsContent = { times: [], unread: 0, unreadable: [] }
  for (const { calendar, bodies, asked } of reports) {
    const answered = new Set<string>()
    const collection = keyOf(calendar)
    for (const body of bodies)
      inMultistatus(body, (response) => {
        const url = URL.parse(response.href, calendar)
        const key = url && keyOf(url.href)
        if (key === collection && response.status === undefined) return
        if (!url || key === null || answered.has(key) || key === collection) throw new CalendarError('truncated')
        answered.add(key)
        if (response.status !== 404) addObject(content, { collection, key, text: dataOf(response) }, options)
      })
    if (!asked.every((one) => answered.has(keyOf(one)))) throw new CalendarError('truncated')
  }
  return content
}

function inMultistatus(body: Uint8Array, take: (response: DavResponse) => void): void {
  try {
    readMultistatus(body, take, MAX_ELEMENTS)
  } catch (error) {
    if (!(error instanceof MultistatusError)) throw error
    throw new CalendarError(error.isBegun ? 'truncated' : 'not_calendar')
  }
}

/** The CalDAV server can fail to read a single object. Then its answer is not complete. */
function dataOf({ found }: DavResponse): string {
  const data = found.find(({ name }) => name === `${CALDAV} calendar-data`)
  if (!data) throw new CalendarError('truncated')
  return data.text
}

function addObject(
  content: ReportsContent,
  { collection, key, text }: { collection: string; key: string; text: string },
  options: { zone: string; window: Span },
): void {
  const keys = { collection: Buffer.from(collection, 'hex'), object: Buffer.from(key, 'hex') }
  try {
    const { times, unread } = readCalendar(text, options)
    content.unread += unread
    // Two objects can contain events with the same UID, for example in two calendars of the account.
    for (const time of times)
      content.times.push({
        ...time,
        ...keys,
        event: hash('sha256', Buffer.concat([keys.object, time.event]), 'buffer'),
      })
  } catch (error) {
    if (!(error instanceof CalendarError) || error.fault.startsWith('too_')) throw error
    content.unread++
    content.unreadable.push(key)
  }
  if (content.times.length > MAX_BUSY_TIMES) throw new CalendarError('too_many_events')
}

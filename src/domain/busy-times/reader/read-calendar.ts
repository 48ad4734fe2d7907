import { DAY, SECOND } from '../../../infra/time/time-units.ts'
import type { BusyTime, Span } from './busy-time-list.ts'
import { mayMatter } from './calendar-event.ts'
import { type Component, propertyOf, readComponents, wordOf } from './calendar-lines.ts'
import { durationOf, lengthOf } from './calendar-values.ts'
import { CalendarZones } from './calendar-zones.ts'
import { CalendarError, EventError } from './event-error.ts'
import { busyTimesOf } from './expand-events.ts'

export interface CalendarContent {
  times: BusyTime[]
  /** The number of events that the server cannot read. They block no time. */
  unread: number
  /** The pause between two reads that the calendar asks for, in seconds. */
  pauseSeconds: number | null
}

/** The maximum number of events that matter, and of busy times in the window. */
export const MAX_BUSY_TIMES = 20_000

/**
 * Reads the busy times of a calendar file. Events without a time zone, and events of whole days, are in the zone of the
 * business.
 */
export function readCalendar(text: string, { zone, window }: { zone: string; window: Span }): CalendarContent {
  const zones = new CalendarZones(zone)
  const events: Component[] = []
  let pauseSeconds: number | null = null
  let begin = 0
  readComponents(text, {
    event(event) {
      if (mayMatter(event, window)) events.push(event)
      if (events.length > MAX_BUSY_TIMES) throw new CalendarError('too_many_events')
    },
    zone: (one, parts) => zones.define(one, parts, window[1] + 400 * DAY),
    calendar(calendar) {
      if (wordOf(calendar, 'METHOD') === 'CANCEL') events.length = begin
      begin = events.length
      pauseSeconds ??= pauseOf(calendar)
    },
  })
  const found = busyTimesOf(events, zones, window, MAX_BUSY_TIMES)
  if (found === 'too many') throw new CalendarError('too_many_events')
  return { ...found, pauseSeconds }
}

function pauseOf(calendar: Component): number | null {
  const property = propertyOf(calendar, 'REFRESH-INTERVAL') ?? propertyOf(calendar, 'X-PUBLISHED-TTL')
  if (!property) return null
  try {
    return Math.round(lengthOf(durationOf(property.value)) / SECOND)
  } catch (error) {
    if (error instanceof EventError) return null
    throw error
  }
}

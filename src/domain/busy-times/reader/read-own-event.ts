import { readEvent, spanAt } from './calendar-event.ts'
import { type Component, propertyOf, readComponents, wordOf } from './calendar-lines.ts'
import { CalendarZones } from './calendar-zones.ts'
import { CalendarError, EventError } from './event-error.ts'

/**
 * An event that this server has written, as it is in the calendar now. `unclear`: the event repeats, or cannot be
 * understood.
 */
export type OwnEvent = { from: number; to: number } | 'canceled' | 'unclear'

/** The clock changes of time zones in the event are computed for this number of milliseconds since 1970. */
const UNTIL = Date.UTC(2100, 0, 1)

/** Reads when an event takes place that this server has written, and that a person may have changed. */
export function readOwnEvent(text: string, zone: string): OwnEvent {
  const zones = new CalendarZones(zone)
  const events: Component[] = []
  try {
    readComponents(text, {
      event: (event) => events.push(event),
      zone: (one, parts) => zones.define(one, parts, UNTIL),
      calendar: () => {},
    })
    const [component, ...others] = events
    const repeats = ['RRULE', 'RDATE', 'RECURRENCE-ID'].some((name) => component?.has(name))
    if (!component || others.length > 0 || repeats || !propertyOf(component, 'DTSTART')) return 'unclear'
    if (wordOf(component, 'STATUS') === 'CANCELLED') return 'canceled'
    const event = readEvent(component, zones)
    const [from, to] = spanAt(event, event.start.local)
    return { from, to }
  } catch (error) {
    if (error instanceof CalendarError || error instanceof EventError || error instanceof RangeError) return 'unclear'
    throw error
  }
}

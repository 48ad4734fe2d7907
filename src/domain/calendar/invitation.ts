import { type CalendarEvent, eventLines, PRODUCT } from './event.ts'
import { type Person, written } from './ical.ts'

/**
 * An event as it is sent to somebody's calendar (RFC 5546), which keeps what has the highest SEQUENCE, and of equal ones
 * the latest DTSTAMP: whatever arrives late changes nothing any more.
 */
export function invitation(
  method: 'REQUEST' | 'CANCEL',
  event: CalendarEvent,
  { organizer, attendee }: { organizer: Person; attendee: Person },
): string {
  const lines = eventLines({ ...event, organizer, attendee })
  return written(['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, `METHOD:${method}`, ...lines, 'END:VCALENDAR'])
}

/**
 * Several events, each with an id of its own, which no request may have: they are published (RFC 5546, 3.2.1), and nobody in them
 * is invited. What was called off says so itself.
 */
export const published = (events: readonly CalendarEvent[], organizer: Person): string =>
  written([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, 'METHOD:PUBLISH'],
    ...events.flatMap((event) => eventLines({ ...event, organizer })),
    'END:VCALENDAR',
  ])

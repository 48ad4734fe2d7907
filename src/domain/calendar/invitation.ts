import { type CalendarEvent, eventLines, PRODUCT } from './event.ts'
import { type Person, written } from './ical.ts'

/**
 * An invitation or cancellation for a calendar (RFC 5546). Calendars keep the version with the highest SEQUENCE, then the
 * latest DTSTAMP, so a late mail does no harm.
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
 * Several events in one file. A request may have only one UID, so the events are published (RFC 5546, 3.2.1), without
 * attendees. A canceled event has the status CANCELLED.
 */
export const published = (events: readonly CalendarEvent[], organizer: Person): string =>
  written([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, 'METHOD:PUBLISH'],
    ...events.flatMap((event) => eventLines({ ...event, organizer })),
    'END:VCALENDAR',
  ])

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

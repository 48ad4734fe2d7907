import type { NotificationText } from '../../core/mails/notification-text.ts'
import { isOfPlatform } from '../bookings/notify-about-booking.ts'
import { buyersEvent } from '../calendar/booking-calendar-event.ts'
import { type CalendarEvent, eventLines, PRODUCT } from '../calendar/format-calendar-event.ts'
import { type Person, written } from '../calendar/ical-text-format.ts'
import { type NotificationContext, wholeSeries } from './notification-context.ts'

/**
 * Returns the calendar file in a mail to the buyer, which is an invitation or a cancellation. If the mail is about
 * several bookings, the file contains the events of all these bookings instead.
 */
export function calendarAttachment(
  context: NotificationContext,
  organizer: Person,
): Pick<NotificationText, 'calendar'> {
  const { booking, definition, pageOf, localizer } = context
  const { calendar: method, people } = booking
  if (!method || !isEventMailed(context)) return {}
  const [event, ...others] = wholeSeries(booking)
    .filter((one) => one.calendar !== undefined)
    .map((one) => buyersEvent(one, definition, pageOf('manage', one), localizer))
  if (!event) return {}
  if (others.length > 0) return { calendar: { method: 'PUBLISH', text: published([event, ...others], organizer) } }
  const attendee = { name: '', email: people.buyer.email }
  return { calendar: { method, text: invitation(method, event, { organizer, attendee }) } }
}

/**
 * Tells whether the mail to the buyer has a calendar file. A platform sends calendar events to its own buyers itself.
 * These buyers get a calendar file by mail only if the business sends all mails to buyers of platforms.
 */
const isEventMailed = ({ booking, definition }: NotificationContext): boolean =>
  !isOfPlatform(booking.principal) || definition.mails?.platform_buyers === 'all'

/**
 * Writes an invitation or a cancellation for a calendar program (RFC 5546). Calendar programs keep the version with the
 * highest SEQUENCE number and, among these, the latest DTSTAMP time. Therefore an older mail that arrives late does no
 * harm.
 */
function invitation(
  method: 'REQUEST' | 'CANCEL',
  event: CalendarEvent,
  { organizer, attendee }: { organizer: Person; attendee: Person },
): string {
  const lines = eventLines({ ...event, organizer, attendee })
  return written(['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, `METHOD:${method}`, ...lines, 'END:VCALENDAR'])
}

/**
 * Writes a calendar file with several events. An invitation may contain only one event (one UID). Therefore this file
 * publishes the events without attendees (RFC 5546, 3.2.1). A canceled event has the status CANCELLED.
 */
const published = (events: readonly CalendarEvent[], organizer: Person): string =>
  written([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, 'METHOD:PUBLISH'],
    ...events.flatMap((event) => eventLines({ ...event, organizer })),
    'END:VCALENDAR',
  ])

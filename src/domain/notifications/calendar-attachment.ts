import type { NotificationText } from '../../core/mails/notification-text.ts'
import { isOfPlatform } from '../bookings/notify-about-booking.ts'
import { buyersEvent } from '../calendar/booking-calendar-event.ts'
import { type CalendarEvent, eventLines, PRODUCT } from '../calendar/format-calendar-event.ts'
import { type Person, written } from '../calendar/ical-text-format.ts'
import { type NotificationContext, wholeSeries } from './notification-context.ts'

/**
 * Makes the calendar file in a mail to the buyer: an invitation or a cancellation. In a mail about several bookings,
 * the file contains all their events instead.
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
 * Whether the mail to the buyer has a calendar file. A platform sends calendar events to its buyers itself. So these
 * buyers get no calendar file by mail, unless the business sends all mails to buyers of platforms.
 */
const isEventMailed = ({ booking, definition }: NotificationContext): boolean =>
  !isOfPlatform(booking.principal) || definition.mails?.platform_buyers === 'all'

/**
 * Makes an invitation or a cancellation for a calendar program (RFC 5546). Of several versions, calendar programs keep
 * the one with the highest SEQUENCE, and then the latest DTSTAMP. So a late mail does no harm.
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
 * Makes a calendar file with several events. An invitation may have only one UID, so this file publishes the events
 * without attendees (RFC 5546, 3.2.1). A canceled event has the status CANCELLED.
 */
const published = (events: readonly CalendarEvent[], organizer: Person): string =>
  written([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, 'METHOD:PUBLISH'],
    ...events.flatMap((event) => eventLines({ ...event, organizer })),
    'END:VCALENDAR',
  ])

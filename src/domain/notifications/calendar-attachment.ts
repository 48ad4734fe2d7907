import type { NotificationText } from '../../core/mails/notification-text.ts'
import { isOfPlatform } from '../bookings/notify-about-booking.ts'
import { buyersEvent } from '../calendar/booking-event.ts'
import type { Person } from '../calendar/ical.ts'
import { invitation, published } from '../calendar/invitation.ts'
import { type NotificationContext, wholeSeries } from './notification-context.ts'

/**
 * The calendar part of the buyer's mail: an invitation or cancellation, or a published list when the mail covers several
 * bookings.
 */
export function calendarAttachment(about: NotificationContext, organizer: Person): Pick<NotificationText, 'calendar'> {
  const { booking, definition, pageOf, speech } = about
  const { calendar: method, people } = booking
  if (!method || !isEventMailed(about)) return {}
  const [event, ...others] = wholeSeries(booking)
    .filter((one) => one.calendar !== undefined)
    .map((one) => buyersEvent(one, definition, pageOf('manage', one), speech))
  if (!event) return {}
  if (others.length > 0) return { calendar: { method: 'PUBLISH', text: published([event, ...others], organizer) } }
  const attendee = { name: '', email: people.buyer.email }
  return { calendar: { method, text: invitation(method, event, { organizer, attendee }) } }
}

/** A platform gives its buyers the calendar event itself, unless the business mails these buyers everything. */
const isEventMailed = ({ booking, definition }: NotificationContext): boolean =>
  !isOfPlatform(booking.principal) || definition.mails?.platform_buyers === 'all'

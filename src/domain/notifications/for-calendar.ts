import type { Letter } from '../../core/mails/letter.ts'
import { isOfPlatform } from '../bookings/tell-of-booking.ts'
import { buyersEvent } from '../calendar/booking-event.ts'
import type { Person } from '../calendar/ical.ts'
import { invitation, published } from '../calendar/invitation.ts'
import { type About, allOf } from './about.ts'

/** What the letter is to the calendar of whoever booked, from whom it says to be. */
export function forCalendar(about: About, organizer: Person): Pick<Letter, 'calendar'> {
  const { booking, definition, pageOf, speech } = about
  const { calendar: method, people } = booking
  if (!method || !isTold(about)) return {}
  const [event, ...others] = allOf(booking)
    .filter((one) => one.calendar !== undefined)
    .map((one) => buyersEvent(one, definition, pageOf('manage', one), speech))
  if (!event) return {}
  if (others.length > 0) return { calendar: { method: 'PUBLISH', text: published([event, ...others], organizer) } }
  const attendee = { name: '', email: people.buyer.email }
  return { calendar: { method, text: invitation(method, event, { organizer, attendee }) } }
}

/** Who booked through a platform, and is told no more than that leaves out, has the calendar's event from there. */
const isTold = ({ booking, definition }: About): boolean =>
  !isOfPlatform(booking.principal) || definition.mails?.platform_buyers === 'all'

import { buyersEvent } from '../../calendar/booking-event.ts'
import type { Person } from '../../calendar/ical.ts'
import { invitation } from '../../calendar/invitation.ts'
import type { Letter } from '../../mails/letter.ts'
import { isOfPlatform } from '../tell-of-booking.ts'
import { type About, nameOf } from './about.ts'

/** What the letter is to the calendar of whoever booked, from whom it says to be. */
export function forCalendar(about: About, organizer: Person): Pick<Letter, 'calendar'> {
  const { booking, definition, pageOf } = about
  const { calendar: method, people } = booking
  if (!method || !isTold(about)) return {}
  const event = { ...buyersEvent(booking, definition, pageOf('manage')), details: detailsOf(about) }
  const attendee = { name: nameOf(people.buyer), email: people.buyer.email }
  return { calendar: { method, text: invitation(method, event, { organizer, attendee }) } }
}

/** Who booked through a platform, and is told no more than that leaves out, has the calendar's event from there. */
const isTold = ({ booking, definition }: About): boolean =>
  !isOfPlatform(booking.principal) || definition.mails?.platform_buyers === 'all'

/** What is not told by another property, in the language of the letter. */
function detailsOf({ booking: { record, people }, speech }: About): string[] {
  const { say } = speech
  const { resources, party_size, service } = record
  return [
    ...(resources.length > 0 ? [`${say('letter.row.with')}: ${speech.list(resources.map(({ name }) => name))}`] : []),
    ...(party_size > 1 ? [`${say('letter.row.party')}: ${say('letter.row.people', { count: party_size })}`] : []),
    ...(service.channel.instructions === undefined ? [] : [service.channel.instructions]),
    ...(people.notes === undefined ? [] : [people.notes]),
  ]
}

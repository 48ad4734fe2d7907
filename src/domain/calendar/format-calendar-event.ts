import { address, instant, type Person, person, text } from './ical-text-format.ts'

export interface CalendarEvent {
  /** The id of the calendar event. It stays the same when the booking moves. */
  id: string
  /**
   * The version of the calendar event: the number of moves, plus one if the booking is canceled. Calendar programs keep
   * the event with the highest number.
   */
  sequence: number
  changed: Date
  start: Date
  end: Date
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  title: string
  /** The lines of the text that describes the calendar event. */
  details: string[]
  place?: string | undefined
  url?: string | undefined
  conference?: { address: string; label: string } | undefined
  images?: string[]
  organizer?: Person
  attendee?: Person
}

export const eventLines = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  text('UID', event.id),
  `SEQUENCE:${event.sequence}`,
  instant('DTSTAMP', event.changed),
  instant('LAST-MODIFIED', event.changed),
  instant('DTSTART', event.start),
  instant('DTEND', event.end),
  `STATUS:${event.status}`,
  ...(event.organizer ? person('ORGANIZER', event.organizer) : []),
  ...(event.attendee ? person('ATTENDEE', event.attendee, ATTENDEE_ACCEPTED) : []),
  text('SUMMARY', event.title),
  ...(event.details.length > 0 ? [text('DESCRIPTION', event.details.join('\n'))] : []),
  ...(event.place === undefined ? [] : [text('LOCATION', event.place)]),
  ...(event.url === undefined ? [] : address('URL', event.url)),
  ...(event.conference ? address('CONFERENCE', event.conference.address, { LABEL: event.conference.label }) : []),
  ...(event.images ?? []).flatMap((image) => address('IMAGE', image, { DISPLAY: 'BADGE', ...kindOf(image) })),
  'END:VEVENT',
]

/**
 * The iCalendar parameters of the buyer as an attendee. A buyer who books has already accepted, so the calendar program
 * does not ask for a reply.
 */
const ATTENDEE_ACCEPTED = { CUTYPE: 'INDIVIDUAL', ROLE: 'REQ-PARTICIPANT', PARTSTAT: 'ACCEPTED', RSVP: 'FALSE' }

const kinds: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

function kindOf(image: string): { FMTTYPE?: string } {
  const [, ending = ''] = /\.(\w+)(?:[?#]|$)/.exec(image) ?? []
  const kind = kinds[ending.toLowerCase()]
  return kind === undefined ? {} : { FMTTYPE: kind }
}

export const PRODUCT = text('PRODID', '-//usp-server//Scheduling//EN')

import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { Sessions } from '../../infra/db/schema.generated.ts'
import { chooseLocalizer } from '../../infra/i18n/choose-localizer.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type BookingRow, bookingAsOf } from '../bookings/booking-row.ts'
import { fullName, guestOf } from '../bookings/people-of-booking.ts'
import { OWN_PROPERTY } from '../busy-times/reader/calendar-lines.ts'
import { bookingEvent } from '../calendar/booking-calendar-event.ts'
import { type CalendarEvent, eventLines, PRODUCT } from '../calendar/format-calendar-event.ts'
import { text, written } from '../calendar/ical-text-format.ts'

/** An event as the server wants it in a calendar. */
export interface WantedEvent {
  start: Date
  end: Date
  /** The calendar file. It contains no other personal data than the name of the customer, if the owner chose names. */
  content: string
  /** A digest of everything in the event that a person can see. */
  digest: Buffer
  isClass: boolean
  /** Whether the server has erased the people of the booking. Their names then also leave events of past bookings. */
  isErased: boolean
}

interface EventOptions {
  /** The id of a booking or of a class session. */
  subject: string
  /** The person or room whose calendar it is. */
  resource: string
  names: boolean
  business: BusinessDefinition | undefined
  now: Date
}

const LONGEST_NAME = 200

/** Returns the event that the calendar should have. Returns undefined if it should have none. */
export async function wantedEvent(db: Database, options: EventOptions): Promise<WantedEvent | undefined> {
  const { subject, now } = options
  const { rows: bookings } = await sql<BookingRow>`
    select * from bookings where id = ${subject} or session_id = ${subject}`.execute(db)
  const active = bookings.map((row) => bookingAsOf(row, now)).filter(({ status }) => status !== 'canceled')
  if (active.length === 0) return undefined
  const { rows: sessions } = await sql<Selectable<Sessions>>`
    select * from sessions where id = ${subject} and canceled_at is null`.execute(db)
  const [booking, session] = [active.find(({ id }) => id === subject), sessions[0]]
  if (session) return session.resource_ids.includes(options.resource) ? eventOfClass(session, options) : undefined
  const isHere = booking?.session_id === null && booking.resource_ids.includes(options.resource)
  return isHere ? eventOfBooking(booking, options) : undefined
}

function eventOfBooking(row: BookingRow, options: EventOptions): WantedEvent {
  const localizer = chooseLocalizer({ usual: options.business?.business.language })
  const { sequence, changed, start, end, status, title } = bookingEvent(row, options.business, localizer)
  const isErased = row.people.erased === true
  const name = options.names && !isErased ? shortened(fullName(guestOf(row.people)), LONGEST_NAME) : ''
  const event = { sequence, changed, start, end, status, title: name === '' ? title : `${title}: ${name}` }
  return toWanted(event, options, { isClass: false, isErased })
}

/** A class is one event, however many bookings it has. */
const eventOfClass = (session: Selectable<Sessions>, options: EventOptions): WantedEvent =>
  toWanted(
    {
      sequence: 0,
      changed: session.starts_at,
      start: session.starts_at,
      end: session.ends_at,
      status: 'CONFIRMED',
      title: options.business?.services.find(({ id }) => id === session.service_id)?.name ?? session.service_id,
    },
    options,
    { isClass: true, isErased: false },
  )

function toWanted(
  event: Omit<CalendarEvent, 'id' | 'details'>,
  { subject, resource }: EventOptions,
  facts: Pick<WantedEvent, 'isClass' | 'isErased'>,
): WantedEvent {
  const { start, end, status, title } = event
  const lines = eventLines({ ...event, id: uidOf(subject, resource), details: [] })
  const [first = '', ...others] = lines
  const content = written([
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT],
    ...[first, text(OWN_PROPERTY, subject), ...others],
    'END:VCALENDAR',
  ])
  const digest = hash('sha256', JSON.stringify([subject, resource, start, end, status, title]), 'buffer')
  return { start, end, content, digest, ...facts }
}

/**
 * The UID of an event. Two people of one booking can have the same calendar, and an invitation by mail has the id of the
 * booking as its UID. Therefore the UID also names the person. The reader of busy times recognizes it.
 */
const uidOf = (subject: string, resource: string): string => `${subject}.${hash('sha256', resource).slice(0, 16)}`

/** The address of an event in a calendar. It is always the same, so that a repeated attempt makes no second event. */
export const addressOf = (calendar: string, subject: string, resource: string): string =>
  new URL(`${uidOf(subject, resource)}.ics`, calendar.endsWith('/') ? calendar : `${calendar}/`).href

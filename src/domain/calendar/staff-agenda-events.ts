import type { Localizer } from '../../infra/i18n/localizer.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { namedPlace } from '../bookings/booking-location-text.ts'
import { type BookingRow, bookingAsOf } from '../bookings/booking-row.ts'
import { fullName, guestOf } from '../bookings/people-of-booking.ts'
import { bookingEvent } from './booking-calendar-event.ts'
import type { CalendarEvent } from './format-calendar-event.ts'
import type { Agenda } from './queries.ts'

/**
 * One event of the staff's calendar feed. The function `event` builds the calendar event only when the server writes
 * the event. Building all events of a large feed at once would block the event loop.
 */
export interface AgendaItem {
  start: Date
  event(): CalendarEvent
}

export interface AgendaContext {
  business: BusinessDefinition | undefined
  localizer: Localizer
  known: Date
}

/**
 * The bookings, class sessions and blocked times of the staff as calendar events, sorted by time. The events contain
 * the names of people. A class with many participants is one event.
 */
export function agendaItems({ bookings, sessions, blocks }: Agenda, reader: AgendaContext, now: Date): AgendaItem[] {
  const active = bookings.map((row) => bookingAsOf(row, now)).filter(({ status }) => status !== 'canceled')
  const participants = Map.groupBy(active, ({ session_id }) => session_id)
  return [
    ...(participants.get(null) ?? []).map((row) => ({ start: row.starts_at, event: () => staffsEvent(row, reader) })),
    ...sessions.map((session) => ({
      start: session.starts_at,
      event: () => sessionEvent(session, participants.get(session.id) ?? [], reader),
    })),
    ...blocks.map((block) => ({ start: block.starts_at, event: () => blockEvent(block, reader) })),
  ].sort((one, other) => one.start.getTime() - other.start.getTime())
}

function staffsEvent(row: BookingRow, { business, localizer }: AgendaContext): CalendarEvent {
  const { record, people } = row
  const event = bookingEvent(row, business, localizer)
  const phone = guestOf(people).phone_number ?? people.buyer.phone_number
  return {
    ...event,
    title: `${event.title}: ${nameOf(row)}`,
    images: [],
    details: [
      ...(record.resources.length > 0 ? [record.resources.map(({ name }) => name).join(', ')] : []),
      ...(phone === undefined ? [] : [phone]),
      ...(people.notes === undefined ? [] : [people.notes]),
    ],
  }
}

/**
 * A calendar event shows at most this many characters of one person's name, because the event of a class may list
 * thousands of names.
 */
const LONGEST_NAME = 200

function nameOf({ people, record: { party_size } }: BookingRow): string {
  const name = shortened(fullName(guestOf(people)), LONGEST_NAME)
  return name + (party_size > 1 ? ` (${party_size})` : '')
}

function sessionEvent(
  session: Agenda['sessions'][number],
  participants: BookingRow[],
  { business, localizer, known }: AgendaContext,
): CalendarEvent {
  const { id, service_id, starts_at, ends_at, location_id, capacity } = session
  const service = business?.services.find((one) => one.id === service_id)?.name ?? service_id
  const location = business?.locations?.find((one) => one.id === location_id)
  const taken = participants.reduce((sum, { record }) => sum + record.party_size, 0)
  return {
    id,
    sequence: 0,
    changed: new Date(Math.max(known.getTime(), ...participants.map(({ updated_at }) => updated_at.getTime()))),
    start: starts_at,
    end: ends_at,
    status: 'CONFIRMED',
    title: localizer.say('calendar.class', { service, taken, capacity }),
    details: participants.map(nameOf),
    place: location && namedPlace(location, business),
  }
}

const blockEvent = (
  { id, resource_id, starts_at, ends_at, reason, created_at }: Agenda['blocks'][number],
  { business, localizer: { say } }: AgendaContext,
): CalendarEvent => ({
  id,
  sequence: 0,
  changed: created_at,
  start: starts_at,
  end: ends_at,
  status: 'CONFIRMED',
  title: reason === null ? say('calendar.kept_free') : say('calendar.kept_free.why', { reason }),
  details: [resourceName(resource_id, business)],
})

export const resourceName = (id: string, business: BusinessDefinition | undefined): string =>
  business?.resources?.find((one) => one.id === id)?.name ?? id

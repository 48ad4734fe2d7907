import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Booking, BusinessDefinition } from '../../protocol/types.generated.ts'
import { placeOfBooking } from '../bookings/booking-location-text.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { channelInstructions, resourceNames, serviceName } from '../bookings/translate-booking-texts.ts'
import type { CalendarEvent } from './format-calendar-event.ts'

/** The iCalendar status for each booking status. A booking that is not confirmed yet is tentative. */
const statuses: Record<Booking['status'], CalendarEvent['status']> = {
  pending: 'TENTATIVE',
  requires_action: 'TENTATIVE',
  confirmed: 'CONFIRMED',
  in_progress: 'CONFIRMED',
  completed: 'CONFIRMED',
  no_show: 'CONFIRMED',
  canceled: 'CANCELLED',
}

export const bookingEvent = (
  row: BookingRow,
  business: BusinessDefinition | undefined,
  localizer: Localizer,
): CalendarEvent => ({
  id: row.id,
  sequence: row.record.sequence,
  changed: row.updated_at,
  start: row.starts_at,
  end: row.ends_at,
  status: statuses[row.status],
  title: serviceName(row, business, localizer),
  details: [],
  place: placeOfBooking(row, business, localizer),
  conference: conferenceOf(row.record.service.channel, localizer),
  images: (row.record.service.media ?? []).filter(({ type }) => type === 'image').map(({ url }) => url),
})

export function buyersEvent(
  row: BookingRow,
  business: BusinessDefinition | undefined,
  page: string,
  localizer: Localizer,
): CalendarEvent {
  const { channel } = row.record.service
  const event = bookingEvent(row, business, localizer)
  return {
    ...event,
    url: page,
    // If an online service has no meeting link, the calendar event contains the web address of the booking page, where
    // the buyer can join.
    conference: event.conference ?? (channel.type === 'virtual' ? joiningAt(page, channel, localizer) : undefined),
    details: detailsFor(row, business, localizer),
  }
}

function detailsFor(row: BookingRow, business: BusinessDefinition | undefined, localizer: Localizer): string[] {
  const { say, list } = localizer
  const { people } = row
  const { party_size } = row.record
  const names = resourceNames(row, business, localizer)
  const instructions = channelInstructions(row, business, localizer)
  return [
    ...(names.length > 0 ? [`${say('booking.with')}: ${list(names)}`] : []),
    ...(party_size > 1 ? [`${say('booking.for')}: ${say('booking.people', { count: party_size })}`] : []),
    ...(instructions === undefined ? [] : [instructions]),
    ...(people.notes === undefined ? [] : [people.notes]),
  ]
}

type Channel = BookingRow['record']['service']['channel']

/**
 * The meeting link of an online or phone appointment: a web address or a phone link. The function takes the first link
 * in the joining instructions. If there is none, it searches the name of the video provider.
 */
function conferenceOf(channel: Channel, localizer: Localizer): CalendarEvent['conference'] {
  if (!['virtual', 'hybrid', 'phone'].includes(channel.type)) return undefined
  const [found] =
    /\b(?:https?:\/\/|tel:|sips?:)[^\s<>"]+/i.exec([channel.instructions, channel.virtual_provider].join(' ')) ?? []
  if (found === undefined) return undefined
  return joiningAt(found.replace(/(?<![.,;:!?)\]}'])[.,;:!?)\]}']+$/, ''), channel, localizer)
}

const joiningAt = (address: string, { virtual_provider }: Channel, { say }: Localizer) => ({
  address,
  label: virtual_provider ?? say('place.online'),
})

import { bookingAsOf } from '../../bookings/booking-as-of.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { serviceName } from '../../bookings/names.ts'
import { pageUrl } from '../../bookings/page-links.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'
import { timeRange } from '../../languages/times.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Item, ItemMeans, Looking } from './item.ts'
import { channelText, locationText } from './place.ts'

/** A booking as its buyer finds it again. */
export function bookingItem(row: BookingRow, { definition, speech }: Looking, { config, tag, clock }: ItemMeans): Item {
  const booking = bookingAsOf(row, clock())
  const { record, starts_at, ends_at, status } = booking
  return {
    what: serviceName(booking, definition, speech),
    when: timeRange(speech, starts_at, ends_at, record.zone),
    where: place(booking, definition, speech),
    state: speech.say(`my.state.${status}` satisfies Message),
    url: pageUrl(config.baseUrl, tag, booking.id, 'manage'),
  }
}

function place({ record, people }: BookingRow, definition: BusinessDefinition, speech: Speech): string | undefined {
  const { location, service } = record
  if (location) return locationText(definition.locations?.find(({ id }) => id === location.id) ?? location)
  const { delivery_address: address } = people
  return address ? `${address.line1}, ${address.city}` : channelText(service.channel.type, speech)
}

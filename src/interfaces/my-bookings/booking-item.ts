import { type BookingRow, bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { serviceName } from '../../domain/bookings/names.ts'
import { pageUrl } from '../../domain/bookings/page-links.ts'
import { placeOfBooking } from '../../domain/bookings/place.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { timeRange } from '../../infra/i18n/times.ts'
import type { Item, ItemDependencies, ListViewer } from './item.ts'

export function bookingItem(
  row: BookingRow,
  { definition, speech }: ListViewer,
  { config, tag, clock }: ItemDependencies,
): Item {
  const booking = bookingAsOf(row, clock())
  const { record, starts_at, ends_at, status } = booking
  return {
    what: serviceName(booking, definition, speech),
    when: timeRange(speech, starts_at, ends_at, record.zone),
    where: placeOfBooking(booking, definition, speech),
    state: speech.say(`my.state.${status}` satisfies Message),
    url: pageUrl(config.baseUrl, tag, booking, 'manage'),
  }
}

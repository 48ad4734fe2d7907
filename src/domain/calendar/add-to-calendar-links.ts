import type { Localizer } from '../../infra/i18n/localizer.ts'
import { icsTimestamp } from '../../infra/time/time-zone.ts'
import { oneLine, shortened } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { placeOfBooking } from '../bookings/booking-location-text.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { serviceName } from '../bookings/translate-booking-texts.ts'

type Booking = Pick<BookingRow, 'service_id' | 'record' | 'people' | 'starts_at' | 'ends_at'>

/**
 * The longest texts in a link, in characters. One character becomes nine in a link. With these limits, each link has less
 * than 2,048 characters, which all browsers and mail programs accept.
 */
const LONGEST_TITLE = 80
const LONGEST_PLACE = 120

/**
 * Returns links to Google Calendar and to Outlook.com, which open a new calendar event with the data of the booking. Google
 * and Microsoft can read these links. Therefore the links contain only the service, the business, the time and the place. They
 * do not contain the address of the booking page, because any person with this address can cancel the booking.
 */
export function addToCalendarLinks(
  booking: Booking,
  definition: BusinessDefinition,
  localizer: Localizer,
): { google: string; outlook: string } {
  const { starts_at, ends_at } = booking
  const what = `${serviceName(booking, definition, localizer)} · ${definition.business.name}`
  const title = shortened(oneLine(what), LONGEST_TITLE)
  const location = shortened(oneLine(placeOfBooking(booking, definition, localizer) ?? ''), LONGEST_PLACE)
  return {
    google: link('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text: title,
      dates: `${icsTimestamp(starts_at)}/${icsTimestamp(ends_at)}`,
      location,
    }),
    outlook: link('https://outlook.live.com/calendar/0/deeplink/compose', {
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: title,
      startdt: withoutFraction(starts_at),
      enddt: withoutFraction(ends_at),
      location,
    }),
  }
}

/** Outlook shows a `+` as it is. Therefore a space is written as `%20`. */
function link(address: string, { location = '', ...required }: Record<string, string>): string {
  const query = new URLSearchParams({ ...required, ...(location !== '' && { location }) })
  return `${address}?${query}`.replaceAll('+', '%20')
}

/** An instant in UTC, such as `2026-11-24T15:00:00Z`. */
const withoutFraction = (instant: Date): string => instant.toISOString().replace(/\.\d+/, '')

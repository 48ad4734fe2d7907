import { chooseLocalizer } from '../../infra/i18n/choose-localizer.ts'
import { type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pageUrl } from '../bookings/booking-page-links.ts'
import { bookingId, onBooking } from '../bookings/booking-response.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { getBooking } from '../bookings/get-booking.ts'
import { readBooking } from '../bookings/lock-and-save-booking.ts'
import { buyersEvent } from './booking-calendar-event.ts'
import { eventLines, PRODUCT } from './format-calendar-event.ts'
import { written } from './ical-text-format.ts'

/**
 * Returns a booking as a calendar file. Because the answer is a file, the operation exists only over REST, and not over
 * MCP. Therefore `all-operations.ts`, which lists the operations for REST and MCP, does not contain it.
 */
export const bookingCalendar = defineOperation<{ input: { booking_id: string }; output: { calendar: string } }>({
  ...onBooking,
  id: 'getBookingCalendar',
  rest: 'GET /bookings/{booking_id}/calendar.ics',
  // This operation is not an MCP tool. It has the tool name of `getBooking`. Therefore a credential (a secret for one
  // booking) that is valid for `getBooking` is also valid here.
  tool: getBooking.tool,
  title: 'Put a booking into a calendar',
  description:
    'Returns a booking of the caller as an iCalendar file. A booking that is not yet confirmed is tentative; a ' +
    'canceled one is marked as canceled. A caller who may not read the booking gets the same refusal as for ' +
    'reading it.',
  effect: 'read',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: bookingId } },
  output: {
    type: 'object',
    required: ['calendar'],
    properties: { calendar: { type: 'string', description: 'The iCalendar file.' } },
  },
  summary: () => 'The booking as a calendar.',
  async handle(context) {
    const booking = await readBooking(context, context.input.booking_id)
    const definition = await context.business.get()
    const localizer = chooseLocalizer({ usual: definition?.business.language })
    return { calendar: buyersCalendar(booking, definition, localizer, context) }
  },
})

/**
 * The calendar file of a booking for its buyer, in the language of the buyer that the booking stores. If the booking
 * stores no language, the file is in the language of `otherwise`.
 */
export function buyersCalendar(
  booking: BookingRow,
  definition: BusinessDefinition | undefined,
  otherwise: Localizer,
  { config, tag }: Dependencies<'config' | 'tag'>,
): string {
  const localizer = localizerFor(booking.record.locale ?? '') ?? otherwise
  const event = buyersEvent(booking, definition, pageUrl(config.baseUrl, tag, booking, 'manage'), localizer)
  return written(['BEGIN:VCALENDAR', 'VERSION:2.0', PRODUCT, ...eventLines(event), 'END:VCALENDAR'])
}

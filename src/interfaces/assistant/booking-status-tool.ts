import { assistedHoldById, assistedHoldFind, type HoldRow } from '../../domain/availability/hold-queries.ts'
import { referenceOf } from '../../domain/bookings/booking-response.ts'
import { type BookingRow, bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { bookingOfPrincipal } from '../../domain/bookings/queries.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'
import { isActive } from '../booking-flow/current-hold.ts'
import { openTasks, serviceAndTimeText, stateText } from './describe-booking.ts'
import { lines, momentText, placeName, shortened } from './quote-untrusted-text.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

export const bookingStatus = defineTool<{ status_code: string }>({
  name: 'booking_status',
  title: 'Has it been booked?',
  description: 'Returns the state of the link that book gave: waiting, opened, booked or lapsed.',
  input: {
    required: ['status_code'],
    properties: { status_code: { type: 'string', maxLength: 200, description: 'From book, unchanged.' } },
  },
  isShown: true,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ status_code }, { dependencies, now, definition }) {
    const first = await holdOfCode(status_code, dependencies)
    if (!first) throw new ToolError('This status_code is unknown, or older than a week. Copy it from book unchanged.')
    const booking = await bookingOfPrincipal(dependencies.db, first.principal)
    if (booking) return bookedResult(bookingAsOf(booking, now), now)
    const hold = (await assistedHoldFind(dependencies.db, first.principal)) ?? first
    const zone = definition.business.timezone
    const until = momentText(zone, hold.expires_at.getTime())
    if (!isActive(hold, now)) return lapsed
    return hold.unopened_on === null
      ? {
          text: `The person has opened the link but not booked yet. The time is reserved until ${until} (${zone}).`,
          data: { state: 'opened', kept_until: rfc3339(zone, hold.expires_at.getTime()) },
        }
      : {
          text:
            `The person has not opened the link yet. The time is reserved until ${until} (${zone}). Give them ` +
            'the link once more.',
          data: { state: 'waiting_for_person', kept_until: rfc3339(zone, hold.expires_at.getTime()) },
        }
  },
})

const lapsed: ToolResult = {
  text: lines(
    'Not booked, and the time is no longer reserved.',
    'Next: the same link still works unless another person booked the time; or call find_times and book again.',
  ),
  data: { state: 'lapsed' },
}

/** Describes a booking to an assistant. The description contains no personal data of the buyer. */
function bookedResult(row: BookingRow, now: Date): ToolResult {
  const { status, starts_at, ends_at, record } = row
  const { zone, service, location } = record
  const reference = referenceOf(row)
  const isCanceled = status === 'canceled'
  return {
    text: lines(
      `${isCanceled ? 'Was booked, and is canceled' : 'Booked'}: ${serviceAndTimeText(row)}, reference ${reference}.${isCanceled ? '' : ` It is ${stateText(row, now)}.`}`,
      !isCanceled && 'To move or cancel it the person uses the page on which they booked, or the link in their mail.',
    ),
    data: {
      state: isCanceled ? status : 'booked',
      booking_status: status,
      reference,
      their_words: { name: shortened(service.name, 100), ...placeName(location) },
      start: rfc3339(zone, starts_at.getTime()),
      end: rfc3339(zone, ends_at.getTime()),
      timezone: zone,
    },
  }
}

/**
 * Describes a booking to the assistant of a guest (a person without an account) who booked with a mailed code. The
 * guest has no open booking page. Therefore the result contains links to the open tasks, such as the payment.
 */
export function guestBookingResult(row: BookingRow, toolContext: ToolContext): ToolResult {
  const { text, data } = bookedResult(row, toolContext.now)
  const tasks = openTasks(row, toolContext)
  return {
    text: lines(text, ...tasks.map(({ type, link }) => `To do (${type}): give the person this link: ${link}`)),
    data: { ...data, ...(tasks.length > 0 && { left_to_do: tasks }) },
  }
}

const TAG_BYTES = 12
const codeOf = (tag: Tag, hold: string) => `${hold}.${tag('booking status', hold, TAG_BYTES)}`

/**
 * Creates the code with which an assistant reads the status of its hold (a reserved slot). The code gives no other
 * access, and works until the server deletes the hold.
 */
export const statusCode = (tag: Tag, { id }: { id: string }): string => codeOf(tag, id)

/**
 * Finds the hold (a reserved slot) that belongs to an assistant's status code, even if the hold has ended. Returns
 * undefined if the code is invalid.
 */
export async function holdOfCode(code: string, { db, tag }: Dependencies<'db' | 'tag'>): Promise<HoldRow | undefined> {
  const [id = ''] = code.split('.', 1)
  return isEqualInConstantTime(codeOf(tag, id), code) ? assistedHoldById(db, id) : undefined
}

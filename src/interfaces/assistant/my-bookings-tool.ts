import { bookingsOfAccount } from '../../domain/bookings/bookings-of-buyer.ts'
import { listWaitlistEntries } from '../../domain/waitlist/list-entries.ts'
import { callOperation } from './call-operation.ts'
import { bookingData, bookingText, bookingWords } from './describe-booking.ts'
import { entryData, entryText } from './describe-waitlist-entry.ts'
import { lines } from './quote-untrusted-text.ts'
import { requireAccount } from './require-account.ts'
import { defineTool, type ToolContext } from './tool-definition.ts'

const USUAL = 10
const MOST = 25

export const myBookings = defineTool<{ past?: boolean; limit?: number }>({
  name: 'my_bookings',
  title: 'My bookings',
  description: "The person's bookings with their account, their waitlist entries, and offers to answer.",
  needsAccount: true,
  isShown: true,
  input: {
    properties: {
      past: { type: 'boolean', default: false, description: 'Past bookings instead of future ones.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL },
    },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ past = false, limit = USUAL }, toolContext) {
    const { buyer } = requireAccount(toolContext)
    const [rows, entries] = await Promise.all([
      bookingsOfAccount(
        toolContext.dependencies.db,
        { buyer, half: past ? 'past' : 'ahead', limit: limit + 1 },
        toolContext.now,
      ),
      past ? [] : liveEntries(toolContext),
    ])
    const shown = rows.slice(0, limit)
    return {
      text: lines(
        shown.length === 0 && `This account has no bookings${past ? ' in the past' : ''}.`,
        ...shown.map((row) => bookingText(row, toolContext)),
        ...entries.map((entry) => entryText(entry, toolContext)),
        rows.length > limit && 'There are more: call my_bookings with a larger limit.',
        `Bookings made without the account are at ${toolContext.dependencies.config.baseUrl}/my.`,
        shown.length > 0 &&
          !past &&
          'Next: cancel_booking with the booking_id; or find_times with its service id for a slot_id, then move_booking with both.',
      ),
      data: {
        bookings: shown.map((row) => bookingData(row, toolContext)),
        waitlist: entries.map(entryData),
        more: rows.length > limit,
      },
      words: bookingWords(shown, toolContext),
    }
  },
})

async function liveEntries(toolContext: ToolContext) {
  const lists = await Promise.all(
    (['offered', 'waiting'] as const).map((status) =>
      callOperation(listWaitlistEntries, { status, pagination: { limit: USUAL } }, toolContext),
    ),
  )
  return lists.flatMap((list) => (list.refusal ? [] : list.result.entries))
}

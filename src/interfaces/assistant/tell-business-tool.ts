import { type BookingRow, bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { bookingOfPrincipal } from '../../domain/bookings/queries.ts'
import { updateBooking } from '../../domain/bookings/update-booking.ts'
import { visitPrincipal } from '../../pipeline/page-visitor.ts'
import { ASSISTED_VISITOR_PREFIX } from '../../protocol/caller-types.ts'
import {
  callAsAssistedVisitor,
  callOperation,
  ifUnchangedSince,
  retryOnConflict,
  undefinedIfStale,
} from './call-operation.ts'
import { bookingInput } from './cancel-booking-tool.ts'
import { serviceAndTimeText } from './describe-booking.ts'
import { ownBooking } from './require-account.ts'
import { defineTool, type ToolContext, ToolError } from './tool-definition.ts'

interface Input {
  words: string
  booking_id?: string
  link?: string
}

const MOST_NOTES_LENGTH = 5_000

export const tellBusiness = defineTool<Input>({
  name: 'tell_business',
  title: 'Send the business a note',
  description:
    'Adds a note of the person to a booking, for the staff: a booking from my_bookings, or one made by a link.',
  needsAccount: 'unless by a link',
  input: {
    required: ['words'],
    properties: {
      words: { type: 'string', minLength: 1, maxLength: 1_000, description: "In the person's words." },
      booking_id: bookingInput,
      link: { type: 'string', maxLength: 4_000, description: 'Instead of booking_id: the link that book gave.' },
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(input, toolContext) {
    const booking = await retryOnConflict(() => appendNotes(input, toolContext))
    return { text: `The business has the note, with ${serviceAndTimeText(booking)}.`, data: { told: true } }
  },
})

/**
 * Appends the person's words to the notes of the booking. The business reads these notes. Returns undefined if another
 * call has just changed the booking, because the write would overwrite newer notes.
 */
async function appendNotes(noteInput: Input, toolContext: ToolContext): Promise<BookingRow | undefined> {
  const { booking, visitor } = await findMeantBooking(noteInput, toolContext)
  const { notes: before } = booking.people
  const notes = before ? `${before}\n${noteInput.words}` : noteInput.words
  if (notes.length > MOST_NOTES_LENGTH)
    throw new ToolError('The notes on this booking are too long already. The person can call the business.')
  const input = { booking_id: booking.id, notes }
  const as = ifUnchangedSince(booking, toolContext)
  const answer = await (visitor === undefined
    ? callOperation(updateBooking, input, toolContext, as)
    : callAsAssistedVisitor(updateBooking, input, toolContext, { visitor, ...as })
  ).catch(undefinedIfStale)
  if (answer?.refusal) throw new ToolError(answer.refusal.content)
  return answer && booking
}

/**
 * Finds the booking by its id, or by the link that the tool `book` returned. The link contains a secret that identifies
 * the visitor.
 */
async function findMeantBooking(
  { booking_id, link }: Pick<Input, 'booking_id' | 'link'>,
  toolContext: ToolContext,
): Promise<{ booking: BookingRow; visitor?: string }> {
  if (booking_id !== undefined) return { booking: await ownBooking(booking_id, toolContext) }
  const visitor = URL.parse(link ?? '')?.searchParams.get('visit') ?? ''
  const principal = visitPrincipal(visitor)
  const found = principal.startsWith(ASSISTED_VISITOR_PREFIX)
    ? await bookingOfPrincipal(toolContext.dependencies.db, principal)
    : undefined
  if (!found)
    throw new ToolError('No booking was made by this link. Copy the link that book gave, or give a booking_id.')
  return { booking: bookingAsOf(found, toolContext.now), visitor }
}

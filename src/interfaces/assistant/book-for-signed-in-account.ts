import { createBooking } from '../../domain/bookings/create-booking.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import { callOperation, undefinedAtLimit } from './call-operation.ts'
import type { Chosen } from './chosen-slot.ts'
import { bookingData, bookingText, bookingWords } from './describe-booking.ts'
import { buyerOf, type Person, refuseWithoutPhone } from './person-input.ts'
import { lines } from './quote-untrusted-text.ts'
import { ownBooking } from './require-account.ts'
import { type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

/**
 * The length of the keyed digest of the booking data, in bytes. With this length, two different bookings never have the
 * same digest in practice.
 */
const TAG_BYTES = 24

/**
 * Books a slot for the account that signed in. The email address comes from the account, and the other data come from
 * the assistant. Returns undefined if a limit for bookings is reached. The person can then book with a link.
 */
export async function bookAtOnce(
  chosen: Chosen,
  slot_id: string,
  person: Person,
  toolContext: ToolContext,
): Promise<ToolResult | undefined> {
  const { plan, party } = chosen
  const { notes } = person
  refuseWithoutPhone(chosen, person)
  const input = {
    service_id: plan.service.id,
    slot_id,
    party_size: party,
    buyer: await buyerOf(person, toolContext),
    ...(notes !== undefined && { notes }),
  }
  // An assistant repeats a call if it does not receive the answer. Therefore calls with the same content get the same
  // digest, and the server creates only one booking for them.
  const sentForm = toolContext.dependencies.tag('sent by an assistant', canonical(input), TAG_BYTES)
  const answer = await callOperation(createBooking, input, toolContext, { sentForm }).catch(undefinedAtLimit)
  if (!answer) return undefined
  if (answer.refusal) {
    const { code, content } = answer.refusal
    throw new ToolError(
      code === 'slot_unavailable'
        ? 'This time has just been booked by another person. Call find_times for others.'
        : content,
    )
  }
  const booking = await ownBooking(answer.result.booking.id, toolContext)
  return {
    text: lines(
      booking.created_at < toolContext.now ? 'It was already booked, and was not booked again:' : 'Booked:',
      bookingText(booking, toolContext),
      booking.status === 'requires_action' && 'Next: give the person the link for what they still have to do.',
    ),
    data: { state: 'booked', ...bookingData(booking, toolContext) },
    words: bookingWords([booking], toolContext),
  }
}

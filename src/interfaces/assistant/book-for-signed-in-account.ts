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
 * The length of the keyed digest of the booking data, in bytes. With a shorter digest, an attacker could find out the
 * person's data by trying many values.
 */
const TAG_BYTES = 24

/**
 * Books a slot for the account that signed in. The email address comes from the account. The assistant supplies the
 * other data of the buyer. If the limit for the caller's network is reached, the function returns undefined, and the
 * person can book with a link.
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
  // If an assistant does not receive the answer, it repeats the call. Therefore calls with the same content must create
  // only one booking.
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

import { createBooking } from '../../bookings/create-booking.ts'
import { needsPhone } from '../book/buyer-form.ts'
import { buyerOf, ownBooking, type Person } from './account.ts'
import { ask } from './ask.ts'
import { bookingData, bookingText, bookingWords } from './bookings.ts'
import type { Chosen } from './slots.ts'
import { type Asked, type Said, Unable } from './tool.ts'
import { unlessTooMany } from './unless-too-many.ts'
import { lines } from './words.ts'

/**
 * For whoever let the assistant act: the address is that of their account, and the rest they told the assistant. Nothing where
 * assistants of this network have made as much as they may: what the person does on a link counts as their own.
 */
export async function bookAtOnce(
  { plan, party }: Chosen,
  slot_id: string,
  person: Person,
  asked: Asked,
): Promise<Said | undefined> {
  const { phone, notes } = person
  if (phone === undefined && needsPhone(plan.service))
    throw new Unable("This takes the person's phone number. Ask them, and call book again with person.phone.")
  const answer = await ask(
    createBooking,
    {
      ...{ service_id: plan.service.id, slot_id, party_size: party },
      buyer: await buyerOf(person, asked),
      ...(notes !== undefined && { notes }),
    },
    asked,
  ).catch(unlessTooMany)
  if (!answer) return undefined
  if (answer.refusal) {
    const { code, content } = answer.refusal
    throw new Unable(code === 'slot_unavailable' ? 'Somebody else has this time. Call find_times for others.' : content)
  }
  const booking = await ownBooking(answer.result.booking.id, asked)
  return {
    text: lines(
      'Booked:',
      bookingText(booking, asked),
      booking.status === 'requires_action' && 'Next: give the person the link for what is left to do.',
    ),
    data: { state: 'booked', ...bookingData(booking, asked) },
    words: bookingWords([booking], asked),
  }
}

import { createBooking } from '../../domain/bookings/create-booking.ts'
import { canonical } from '../../protocol/canonical.ts'
import { ownBooking } from './account.ts'
import { ask } from './ask.ts'
import { bookingData, bookingText, bookingWords } from './bookings.ts'
import { buyerOf, type Person, refuseWithoutPhone } from './person.ts'
import type { Chosen } from './slots.ts'
import { type Asked, type Said, Unable } from './tool.ts'
import { unlessTooMany } from './unless-too-many.ts'
import { lines } from './words.ts'

/** What somebody is called is not to be found out by trying names. */
const TAG_BYTES = 24

/**
 * For whoever let the assistant act: the address is that of their account, and the rest they told the assistant. Nothing where
 * assistants of this network have made as much as they may: what the person does on a link counts as their own.
 */
export async function bookAtOnce(
  chosen: Chosen,
  slot_id: string,
  person: Person,
  asked: Asked,
): Promise<Said | undefined> {
  const { plan, party } = chosen
  const { notes } = person
  refuseWithoutPhone(chosen, person)
  const input = {
    ...{ service_id: plan.service.id, slot_id, party_size: party },
    buyer: await buyerOf(person, asked),
    ...(notes !== undefined && { notes }),
  }
  // Whoever did not hear the answer calls again, and means one booking.
  const sentForm = asked.means.tag('sent by an assistant', canonical(input), TAG_BYTES)
  const answer = await ask(createBooking, input, asked, { sentForm }).catch(unlessTooMany)
  if (!answer) return undefined
  if (answer.refusal) {
    const { code, content } = answer.refusal
    throw new Unable(code === 'slot_unavailable' ? 'Somebody else has this time. Call find_times for others.' : content)
  }
  const booking = await ownBooking(answer.result.booking.id, asked)
  return {
    text: lines(
      booking.created_at < asked.now ? 'It is booked already, and was not booked once more:' : 'Booked:',
      bookingText(booking, asked),
      booking.status === 'requires_action' && 'Next: give the person the link for what is left to do.',
    ),
    data: { state: 'booked', ...bookingData(booking, asked) },
    words: bookingWords([booking], asked),
  }
}

import { acceptOffer } from '../../waitlist/accept-offer.ts'
import { declineOffer } from '../../waitlist/decline-offer.ts'
import { ownBooking } from './account.ts'
import { ask } from './ask.ts'
import { bookingData, bookingText } from './bookings.ts'
import { entryData } from './entries.ts'
import { defineTool, Unable } from './tool.ts'
import { lines } from './words.ts'

export const answerOffer = defineTool<{ entry_id: string; accept: boolean }>({
  name: 'answer_offer',
  title: 'Answer an offer',
  description: 'Takes or declines a place that the waitlist offers the person, as they say. Taking it books it.',
  needsAccount: true,
  input: {
    required: ['entry_id', 'accept'],
    properties: {
      entry_id: { type: 'string', maxLength: 100, description: 'From my_bookings.' },
      accept: { type: 'boolean' },
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ entry_id, accept }, asked) {
    if (!accept) {
      const declined = await ask(declineOffer, { entry_id }, asked)
      if (declined.refusal) throw new Unable(declined.refusal.content)
      return { text: 'Declined: the next in line is offered it.', data: entryData(declined.result.entry) }
    }
    const accepted = await ask(acceptOffer, { entry_id }, asked)
    if (accepted.refusal) throw new Unable(accepted.refusal.content)
    const booking = await ownBooking(accepted.result.booking.id, asked)
    return { text: lines('Booked:', bookingText(booking, asked)), data: bookingData(booking, asked) }
  },
})

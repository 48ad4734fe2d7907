import { zoneOf } from '../../core/business/definition-facts.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { peopleOfOffer } from '../../protocol/list-records-about-people.ts'
import type { AcceptOffer } from '../../protocol/types.generated.ts'
import { lockHold } from '../bookings/allocate-booking-slot.ts'
import { toBooking } from '../bookings/booking-response.ts'
import { accept } from './book-accepted-offer.ts'
import { entryInput, entrySummary, onEntry, toEntry } from './entry-response.ts'
import { lockEntry } from './read-and-lock-entry.ts'

export const acceptOffer = defineOperation<AcceptOffer>({
  ...onEntry,
  id: 'acceptOffer',
  rest: 'POST /waitlist/{entry_id}/accept',
  tool: 'usp_waitlist_accept',
  title: 'Accept an offer',
  description:
    'Turns the offered slot into a booking for the buyer who waited. `actions` lists what the booking still ' +
    'requires, such as a payment.',
  effect: 'update',
  input: {
    ...entryInput,
    properties: {
      ...entryInput.properties,
      hold_id: { type: 'string', minLength: 1, description: 'A hold of the caller on the offered slot.' },
      delivery_address: shape('DeliveryAddress'),
    },
  },
  output: {
    type: 'object',
    required: ['entry', 'booking'],
    properties: { entry: shape('WaitlistEntry'), booking: shape('Booking') },
  },
  people: peopleOfOffer,
  summary: entrySummary,
  async handle(context) {
    const { input, db, caller, now, business, tag } = context
    const found = await lockEntry(context, input.entry_id)
    const hold = input.hold_id === undefined ? undefined : await lockHold(context, input.hold_id)
    // The offer may depend on a newer business definition than the one in this server's cache. Therefore the server
    // reads the business definition from the database.
    const definition = await business.seenBy(db)
    const { delivery_address } = input
    const by = { actor: caller.principal, stranger: caller.stranger }
    const { entry, booking } = await accept(db, found, { definition, tag, hold, delivery_address, ...by }, now)
    return { entry: toEntry(entry, tag, await zoneOf(context)), booking: toBooking(booking, context) }
  },
})

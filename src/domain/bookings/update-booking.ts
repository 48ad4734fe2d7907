import { asRecord, omitUndefined } from '../../infra/util/object-members.ts'
import { plainText } from '../../infra/util/plain-text.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { documents, ORIGIN, shape } from '../../protocol/json-schemas.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { Message, UpdateBooking } from '../../protocol/types.generated.ts'
import { bookingId, onBooking, toBooking } from './booking-response.ts'
import { checkLengths, checkPeople } from './check-booking-request.ts'
import { createBooking } from './create-booking.ts'
import { lockBooking, saveBooking } from './lock-and-save-booking.ts'
import { refuseByStatus } from './operations-by-status.ts'
import { personOf } from './people-of-booking.ts'
import { withEarlierConsent } from './text-message-consent.ts'

const mutable = new Set(['booking_id', 'buyer', 'recipient', 'notes'])
/**
 * The names of the properties of a booking and of a request for a new booking. Some of these properties cannot change.
 * If an update contains such a property, the answer has a warning. Unknown properties cause no warning here.
 */
const members = new Set([
  ...Object.keys(createBooking.input.properties),
  ...Object.keys(asRecord(asRecord(documents.get(`${ORIGIN}services/booking.json`)?.$defs.Booking).properties)),
])

export const updateBooking = defineOperation<UpdateBooking>({
  ...onBooking,
  people: peopleOfBooking,
  id: 'updateBooking',
  rest: 'PUT /bookings/{booking_id}',
  tool: 'usp_bookings_update',
  title: 'Correct a booking',
  description:
    'Changes the buyer, the recipient or the notes of a booking; members that are left out stay unchanged. A ' +
    'buyer or recipient is replaced as a whole. Use reschedule for another time.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: bookingId,
      buyer: shape('BookingBuyer'),
      recipient: shape('BookingBuyer'),
      notes: { type: 'string', maxLength: 5000, description: 'What the business should know.' },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const { buyer, recipient, notes } = input
    const booking = await lockBooking(context, input.booking_id)
    refuseByStatus('update', booking)
    if (booking.people.erased)
      throw new BusinessRefusal('invalid_transition', 'The people of this booking were erased. It accepts no new ones.')
    checkPeople({ buyer, recipient })
    checkLengths({ buyer, recipient })
    const changed = omitUndefined({
      buyer: buyer && withEarlierConsent(personOf(buyer), booking.people.buyer),
      recipient: recipient && personOf(recipient),
      notes: notes === undefined ? undefined : plainText(notes),
    })
    const messages = Object.keys(input)
      .filter((name) => members.has(name) && !mutable.has(name))
      .map(ignored)
    const withMessages = messages.length > 0 ? { messages } : {}
    if (Object.keys(changed).length === 0) return { booking: toBooking(booking, context), ...withMessages }
    const { email, phone_number } = { ...booking.people.buyer, ...changed.buyer }
    const isSame = email === booking.people.buyer.email && phone_number === booking.people.buyer.phone_number
    const people = { ...booking.people, ...changed, ...(!isSame && { number_from: 'buyer' as const }) }
    const { principal: actor, stranger } = caller
    const by = { actor, action: 'update', detail: { members: Object.keys(changed) }, stranger }
    return {
      booking: toBooking(await saveBooking(db, booking, { change: { people }, by }, now), context),
      ...withMessages,
    }
  },
})

const ignored = (name: string): Message => ({
  type: 'warning',
  code: 'field_not_mutable',
  content: `${name} cannot be changed here and stays unchanged.`,
  path: `$.${name}`,
})

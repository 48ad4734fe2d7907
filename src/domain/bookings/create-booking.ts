import { hasSeparateReceiver } from '../../core/authentication/principals.ts'
import { defineOperation, STATUS } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { peopleOfBooking } from '../../protocol/list-records-about-people.ts'
import type { CreateBooking } from '../../protocol/types.generated.ts'
import { findSlot, refuseOutsideWindow, waitForSlot } from '../availability/find-slot.ts'
import { lockHold, refuseUnfitHold } from './allocate-booking-slot.ts'
import { summary, toBooking } from './booking-response.ts'
import { checkRequest } from './check-booking-request.ts'
import { issueCredential } from './issue-booking-credential.ts'
import { readBooking } from './lock-and-save-booking.ts'
import { peopleOf, returnOf } from './people-of-booking.ts'
import { bookingOfHold, findDuplicateSubmission } from './queries.ts'
import { makeBooking } from './store-new-booking.ts'
import { withOwnConsentOnly } from './text-message-consent.ts'

export const createBooking = defineOperation<CreateBooking>({
  id: 'createBooking',
  rest: 'POST /bookings',
  tool: 'usp_bookings_create',
  title: 'Book',
  description:
    'Books a slot for a buyer, with or without a hold. The answer says whether the booking is confirmed or awaits approval. `actions` lists what the buyer has to do first, each with a page for it.',
  capability: 'dev.usp-protocol.services.bookings',
  access: 'privileged_platform',
  effect: 'create',
  input: {
    type: 'object',
    required: ['service_id', 'slot_id', 'buyer'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Id of the slot.' },
      hold_id: { type: 'string', minLength: 1, description: 'A hold of the caller on this slot.' },
      buyer: shape('BookingBuyer'),
      recipient: { ...shape('BookingBuyer'), description: 'Who receives the service; the buyer when left out.' },
      party_size: { type: 'integer', minimum: 1, maximum: 10_000, default: 1, description: 'The number of people.' },
      resource_id: { type: 'string', description: 'The person or thing chosen with the slot.' },
      delivery_address: shape('DeliveryAddress'),
      notes: { type: 'string', maxLength: 5000, description: 'What the business should know.' },
      post_payment_return_request: shape('PostPaymentReturnRequest'),
    },
  },
  output: {
    type: 'object',
    required: ['booking'],
    properties: { booking: shape('Booking'), booking_scoped_credential: shape('BookingScopedCredential') },
  },
  people: peopleOfBooking,
  summary,
  async handle(context) {
    const { input, caller, db, now, business, tag } = context
    const { service_id, slot_id, hold_id, party_size = 1 } = input
    await waitForSlot(db, slot_id)
    const hold = hold_id === undefined ? undefined : await lockHold(context, hold_id)
    const isRepeated = hold?.status === 'converted' && hold.service_id === service_id && hold.slot_id === slot_id
    const earlier = isRepeated ? await bookingOfHold(db, hold.id) : await findDuplicateSubmission(context)
    // An earlier call may have turned the hold into a booking, or the browser may have sent the form twice. In these
    // cases, the answer contains the existing booking.
    if (earlier !== undefined)
      return { booking: toBooking(await readBooking(context, earlier), context), [STATUS]: 200 }
    const slot = await findSlot(db, await business.get(), { tag, service: service_id, id: slot_id, now })
    if (hold) await refuseUnfitHold(db, hold, { slot, party: party_size }, now)
    else refuseOutsideWindow(slot, now)
    checkRequest(input, slot)
    const booking = await makeBooking(
      db,
      slot,
      {
        principal: caller.principal,
        profile: caller.profile,
        actor: caller.principal,
        party: party_size,
        people: peopleOf({ ...input, buyer: withOwnConsentOnly(input.buyer, caller.principal) }),
        stranger: caller.stranger,
        locale: caller.locale,
        sentForm: caller.sentForm,
        hasSeparateQueue: hasSeparateReceiver(caller),
        ...(hold && { hold }),
        ...(input.post_payment_return_request && { back: returnOf(input.post_payment_return_request) }),
      },
      now,
    )
    const credential = await issueCredential(context, booking)
    return { booking: toBooking(booking, context), ...(credential && { booking_scoped_credential: credential }) }
  },
})

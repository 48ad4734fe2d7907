import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { CreateBusinessBooking } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking-response.ts'
import { checkDetails } from '../../bookings/check-booking-request.ts'
import { peopleOf } from '../../bookings/people-of-booking.ts'
import { makeBooking } from '../../bookings/store-new-booking.ts'
import { TEXT_CONSENT } from '../../bookings/text-message-consent.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseBusyElsewhere } from './refuse-busy-elsewhere.ts'
import { resolveSlot } from './resolve-requested-slot.ts'
import { slotRequestProperties, waitForTime } from './slot-request.ts'

/**
 * The stored email address of a buyer without an email address, such as a person who books by phone. The protocol
 * requires an address. RFC 2606 reserves the ending `.invalid`, so no mail can reach this address.
 */
export const NO_ADDRESS = 'unknown@nobody.invalid'

export const book = defineOperation<CreateBusinessBooking>({
  ...onBookingAtDesk,
  id: 'createBusinessBooking',
  rest: 'POST /business/bookings',
  tool: 'usp_business_bookings_create',
  title: 'Book for a buyer',
  description:
    'Books for a buyer who calls or walks in, at a slot or at any other time. The booking is confirmed at ' +
    'once, paid or not. The staff can set some booking rules aside, but cannot book time that is already ' +
    'occupied.',
  effect: 'create',
  input: {
    type: 'object',
    required: ['service_id', 'buyer'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      ...slotRequestProperties,
      buyer: {
        type: 'object',
        required: ['first_name'],
        description: 'Who books, as far as known.',
        properties: {
          first_name: { type: 'string', minLength: 1, maxLength: 200, description: 'Given name, or the whole name.' },
          last_name: { type: 'string', maxLength: 200, description: 'Family name.' },
          email: { type: 'string', format: 'email', maxLength: 254, description: 'Email address for notifications.' },
          phone_number: { type: 'string', description: 'With country code, such as +12125551234.' },
          consent: {
            ...shape('BuyerConsent'),
            description: `What the buyer agreed to. ${TEXT_CONSENT}: text messages at this phone number.`,
          },
        },
      },
      recipient: { ...shape('BookingBuyer'), description: 'Who receives the service; the buyer when left out.' },
      party_size: { type: 'integer', minimum: 1, maximum: 10_000, default: 1, description: 'The number of people.' },
      delivery_address: shape('DeliveryAddress'),
      notes: { type: 'string', maxLength: 5000, description: 'Notes on the booking.' },
    },
  },
  async handle(context) {
    const { input, caller, db, now } = context
    const { service_id: service, party_size: party = 1, buyer } = input
    await waitForTime(db, input)
    const { slot, overridden } = await resolveSlot(context, { service, party }, input)
    const request = { ...input, buyer: { last_name: '', email: NO_ADDRESS, ...buyer } }
    checkDetails(request, slot)
    await refuseBusyElsewhere(db, slot, undefined)
    const nobody = { principal: '', profile: '' }
    const newBooking = { ...nobody, actor: caller.principal, party, people: peopleOf(request), byStaff: { overridden } }
    return { booking: toBooking(await makeBooking(db, slot, newBooking, now), context) }
  },
})

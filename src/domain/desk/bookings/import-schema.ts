import { shape } from '../../../protocol/json-schemas.ts'
import type { ImportBookings } from '../../../protocol/types.generated.ts'
import { LONGEST_NOTE } from '../customers/write-customer-note.ts'
import { moment } from '../shared/operation-defaults.ts'
import { book } from './create-booking.ts'
import { slotRequestProperties } from './slot-request.ts'

export type ImportedRow = ImportBookings['input']['bookings'][number]
export type ImportResult = ImportBookings['output']['results'][number]

/** One call imports at most this many bookings. Other bookings of the same resources must wait until the call ends. */
export const MOST_AT_ONCE = 50

const { buyer, party_size, delivery_address, notes } = book.input.properties
const { resource_ids, location_id } = slotRequestProperties

export const importedRow = {
  type: 'object',
  required: ['key', 'service_id', 'start', 'buyer'],
  additionalProperties: false,
  properties: {
    key: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'The permanent key of the booking in the other system.',
    },
    service_id: { type: 'string', minLength: 1, description: 'The service.' },
    start: moment('When it begins, to the minute; in the past for earlier bookings.'),
    end: moment('When it ends; when left out, after the duration of the service.'),
    resource_ids,
    location_id,
    buyer,
    party_size,
    delivery_address,
    notes,
    customer_note: {
      type: 'string',
      maxLength: LONGEST_NOTE,
      description: 'A note on the buyer, for the staff only; it is added to the existing note.',
    },
    status: {
      enum: ['confirmed', 'completed', 'no_show'],
      default: 'confirmed',
      description: 'The outcome. A past booking counts as completed unless this says otherwise.',
    },
    paid: {
      type: 'boolean',
      default: false,
      description:
        'Whether it was paid in the other system: then nothing is due here. For a past booking nothing is due in ' +
        'any case.',
    },
  },
} as const

export const importResult = {
  type: 'object',
  required: ['key', 'outcome'],
  properties: {
    key: { type: 'string', description: 'Its key in the other system.' },
    outcome: { enum: ['imported', 'already_there', 'refused'], description: 'The result of the import.' },
    booking_id: { type: 'string', description: 'The booking on this server.' },
    overridden: {
      type: 'array',
      items: { type: 'string' },
      description: 'Current rules that the booking breaks; it is imported all the same.',
    },
    refusal: shape('Message'),
  },
} as const

import { shape } from '../../../protocol/schemas.ts'
import type { ImportBookings } from '../../../protocol/types.generated.ts'
import { LONGEST_NOTE } from '../customers/note-customer.ts'
import { moment } from '../shared/operation-parts.ts'
import { book } from './book.ts'
import { slotRequestProperties } from './slot-request.ts'

export type ImportedRow = ImportBookings['input']['bookings'][number]
export type ImportResult = ImportBookings['output']['results'][number]

/** Rows in one call. Other bookings with the same resources wait for its end. */
export const MOST_AT_ONCE = 50

const { buyer, party_size, delivery_address, notes } = book.input.properties
const { resource_ids, location_id } = slotRequestProperties

export const importedRow = {
  type: 'object',
  required: ['key', 'service_id', 'start', 'buyer'],
  additionalProperties: false,
  properties: {
    key: { type: 'string', minLength: 1, maxLength: 200, description: 'What the other system calls it, for ever.' },
    service_id: { type: 'string', minLength: 1, description: 'The service.' },
    start: moment('When it begins, to the minute; in the past for what is history.'),
    end: moment('When it ends; when left out, after as long as the service takes.'),
    ...{ resource_ids, location_id, buyer, party_size, delivery_address, notes },
    customer_note: {
      type: 'string',
      maxLength: LONGEST_NOTE,
      description: 'What to know of whoever books, for the staff alone; added to what is noted of them.',
    },
    status: {
      enum: ['confirmed', 'completed', 'no_show'],
      default: 'confirmed',
      description: 'What became of it. Whatever is over and neither was missed is completed.',
    },
    paid: {
      type: 'boolean',
      default: false,
      description: 'Whether it was paid there: then nothing is due here. Of what is over nothing is.',
    },
  },
} as const

export const importResult = {
  type: 'object',
  required: ['key', 'outcome'],
  properties: {
    key: { type: 'string', description: 'What the other system calls it.' },
    outcome: { enum: ['imported', 'already_there', 'refused'], description: 'What came of it.' },
    booking_id: { type: 'string', description: 'The booking here.' },
    overridden: {
      type: 'array',
      items: { type: 'string' },
      description: 'Rules that it breaks as they are today; it is kept all the same.',
    },
    refusal: shape('Message'),
  },
} as const

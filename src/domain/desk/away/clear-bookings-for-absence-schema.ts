import type { ObjectSchema } from '../../../protocol/define-operation.ts'
import { slotRequestProperties } from '../bookings/slot-request.ts'
import { blockShape } from '../hours/block-schema.ts'
import { MOST_CLEARED } from '../shared/desk-list-limits.ts'
import { ids, moment, reason } from '../shared/operation-defaults.ts'
import { absenceProperties } from './absence.ts'

export const clearInput: ObjectSchema = {
  type: 'object',
  required: ['start', 'end'],
  properties: {
    ...absenceProperties,
    reason: { type: 'string', minLength: 1, maxLength: 500, description: 'The reason for the block, for the staff.' },
    bookings: {
      type: 'array',
      maxItems: MOST_CLEARED,
      description: 'The decision for each listed booking.',
      items: {
        type: 'object',
        required: ['booking_id', 'revision', 'action'],
        properties: {
          booking_id: { type: 'string', minLength: 1, description: 'Which.' },
          revision: { type: 'string', description: 'The value from the list.' },
          action: {
            enum: ['move', 'cancel', 'keep'],
            description:
              'The decision. A move takes a slot_id, or the suggestion: its start, resource_ids and location_id.',
          },
          reason,
          ...slotRequestProperties,
        },
      },
    },
    sessions: {
      type: 'array',
      maxItems: MOST_CLEARED,
      description: 'The decision for each listed class.',
      items: {
        type: 'object',
        required: ['session_id', 'taken', 'action'],
        properties: {
          session_id: { type: 'string', minLength: 1, description: 'Which.' },
          taken: { type: 'integer', description: 'The value from the list.' },
          action: { enum: ['cancel', 'keep'], description: 'A class that is kept needs another teacher or place.' },
          reason,
        },
      },
    },
  },
}

export const clearOutput: ObjectSchema = {
  type: 'object',
  required: ['moved', 'canceled', 'kept', 'canceled_sessions', 'kept_sessions', 'blocks', 'left'],
  properties: {
    moved: ids('Bookings that were moved.'),
    canceled: ids('Bookings that were canceled, those of canceled classes included.'),
    kept: ids('Bookings that stay unchanged.'),
    canceled_sessions: ids('Classes that were canceled.'),
    kept_sessions: ids('Classes that stay unchanged.'),
    blocks: { type: 'array', items: blockShape, description: 'The time that is now blocked.' },
    left: {
      type: 'array',
      description:
        'What occupies the rest of the time: bookings and classes that are kept, earlier blocks, holds and ' +
        'offers.',
      items: {
        type: 'object',
        required: ['kind', 'resource_id', 'start', 'end'],
        properties: {
          kind: { enum: ['hold', 'booking', 'offer', 'block', 'session'], description: 'The kind.' },
          id: { type: 'string', description: 'Its id; missing for holds and offers.' },
          resource_id: { type: 'string', description: 'The resource that it occupies.' },
          start: moment('Start, including buffer time.'),
          end: moment('End, including buffer time.'),
          expires_at: moment('When it expires, if it does.'),
        },
      },
    },
  },
}

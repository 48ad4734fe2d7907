import type { ObjectSchema } from '../../../protocol/operation.ts'
import { slotRequestProperties } from '../bookings/slot-request.ts'
import { blockShape } from '../hours/block-parts.ts'
import { MOST_CLEARED } from '../shared/limits.ts'
import { ids, moment, reason } from '../shared/operation-parts.ts'
import { absenceProperties } from './absence.ts'

export const clearInput: ObjectSchema = {
  type: 'object',
  required: ['start', 'end'],
  properties: {
    ...absenceProperties,
    reason: { type: 'string', minLength: 1, maxLength: 500, description: 'Why the time is blocked, for the staff.' },
    bookings: {
      type: 'array',
      maxItems: MOST_CLEARED,
      description: 'What is to be done with each booking that was listed.',
      items: {
        type: 'object',
        required: ['booking_id', 'revision', 'action'],
        properties: {
          booking_id: { type: 'string', minLength: 1, description: 'Which.' },
          revision: { type: 'string', description: 'As it was listed.' },
          action: {
            enum: ['move', 'cancel', 'keep'],
            description: 'To move takes a slot, or what was suggested: its start, resource_ids and location_id.',
          },
          reason,
          ...slotRequestProperties,
        },
      },
    },
    sessions: {
      type: 'array',
      maxItems: MOST_CLEARED,
      description: 'The same with each class.',
      items: {
        type: 'object',
        required: ['session_id', 'taken', 'action'],
        properties: {
          session_id: { type: 'string', minLength: 1, description: 'Which.' },
          taken: { type: 'integer', description: 'As it was listed.' },
          action: { enum: ['cancel', 'keep'], description: 'What is kept needs another teacher or place.' },
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
    kept: ids('Bookings that stay as they are.'),
    canceled_sessions: ids('Classes that were canceled.'),
    kept_sessions: ids('Classes that stay.'),
    blocks: { type: 'array', items: blockShape, description: 'The time that is blocked now.' },
    left: {
      type: 'array',
      description: 'What has the rest of the time: what is kept or was blocked before, and what is held or offered.',
      items: {
        type: 'object',
        required: ['kind', 'resource_id', 'start', 'end'],
        properties: {
          kind: { enum: ['hold', 'booking', 'offer', 'block', 'session'], description: 'What it is.' },
          id: { type: 'string', description: 'Its id, but for what is held or offered.' },
          resource_id: { type: 'string', description: 'Whose time.' },
          start: moment('From then on, what is kept free around it included.'),
          end: moment('Until then.'),
          expires_at: moment('When it ends by itself.'),
        },
      },
    },
  },
}

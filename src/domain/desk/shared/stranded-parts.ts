import { AFFECTED_REASONS, type AffectedReason } from '../../definition/affected-reasons.ts'
import { ids, moment } from './operation-parts.ts'

const text = (description: string) => ({ type: 'string', description })

export const reasonsShape = {
  type: 'array',
  items: { enum: AFFECTED_REASONS satisfies readonly AffectedReason[] },
  description:
    'no_service: the service is gone; no_class: the class is not held then; no_place: the service is not had at this place ' +
    'any more; no_resource: who or what it takes does not do this any more; closed: it is closed then; away: who or what ' +
    'it takes is not there then.',
}

export const strandedShape = {
  type: 'object',
  required: ['total', 'bookings'],
  description:
    'Bookings still to begin that could be as agreed before and cannot now. Nobody is told of it: each waits in ' +
    'usp_business_stranded_list until it is moved, canceled or kept.',
  properties: {
    total: { type: 'integer', minimum: 0, description: 'How many in all.' },
    bookings: {
      type: 'array',
      description: 'The first of them, the first first.',
      items: {
        type: 'object',
        required: ['id', 'reference', 'service_id', 'service_name', 'start', 'end', 'resource_ids', 'reasons'],
        properties: {
          id: text('Id of the booking.'),
          reference: text('What the buyer calls it by.'),
          service_id: text('What is booked.'),
          service_name: text('Its name when it was booked.'),
          start: moment('When it begins.'),
          end: moment('When it ends.'),
          resource_ids: ids('With whom and with what it is.'),
          reasons: reasonsShape,
        },
      },
    },
  },
}

import { AFFECTED_REASONS, type AffectedReason } from '../../definition/affected-booking-reasons.ts'
import { ids, moment } from './operation-defaults.ts'

const text = (description: string) => ({ type: 'string', description })

export const reasonsShape = {
  type: 'array',
  items: { enum: AFFECTED_REASONS satisfies readonly AffectedReason[] },
  description:
    'no_service: the service no longer exists; no_class: there is no class at this time; no_place: the service ' +
    'is no longer offered at this location; no_resource: its person or thing no longer provides the service; ' +
    'closed: the business or location is closed then; away: its person or thing is absent then.',
}

export const strandedShape = {
  type: 'object',
  required: ['total', 'bookings'],
  description:
    'Future bookings that fitted before this change and no longer fit. Buyers are not notified. Each booking ' +
    'stays in usp_business_stranded_list until it is moved, canceled or kept.',
  properties: {
    total: { type: 'integer', minimum: 0, description: 'The total number.' },
    bookings: {
      type: 'array',
      description: 'The first of them, earliest first.',
      items: {
        type: 'object',
        required: ['id', 'reference', 'service_id', 'service_name', 'start', 'end', 'resource_ids', 'reasons'],
        properties: {
          id: text('Id of the booking.'),
          reference: text('The reference that the buyer knows it by.'),
          service_id: text('Id of the booked service.'),
          service_name: text('Its name when it was booked.'),
          start: moment('When it begins.'),
          end: moment('When it ends.'),
          resource_ids: ids('Its people, rooms and things.'),
          reasons: reasonsShape,
        },
      },
    },
  },
}

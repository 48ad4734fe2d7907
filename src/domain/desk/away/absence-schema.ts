import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import { referenceOf, revisionOf } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { isPossible } from '../../bookings/operations-by-status.ts'
import { ids, moment } from '../shared/operation-defaults.ts'
import type { AnotherTime } from './suggest-other-times.ts'

const text = (description: string) => ({ type: 'string', description })

const suggestionShape = {
  type: 'object',
  required: ['start', 'end', 'resource_ids'],
  description: 'An alternative: another time, or the same time with another resource. It is not reserved.',
  properties: {
    start: moment('When the alternative begins.'),
    end: moment('When the alternative ends.'),
    resource_ids: ids('Its people, rooms and things.'),
    location_id: text('Where.'),
  },
}

export const toSuggestion = ({ start, end, resources, location }: AnotherTime, zone: string) => ({
  start: rfc3339(zone, start),
  end: rfc3339(zone, end),
  resource_ids: resources,
  ...omitUndefined({ location_id: location }),
})

export const affectedShape = {
  type: 'object',
  required: [
    ...['id', 'reference', 'revision', 'service_id', 'service_name', 'status', 'start', 'end', 'resource_ids'],
    ...['party_size', 'buyer', 'actions'],
  ],
  properties: {
    id: text('Id of the booking.'),
    reference: text('The reference that the buyer knows it by.'),
    revision: text('Send it back with the decision. It shows whether the booking has changed since it was listed.'),
    service_id: text('Id of the booked service.'),
    service_name: text('Name of the booked service.'),
    status: text('Status of the booking.'),
    start: moment('When it begins.'),
    end: moment('When it ends.'),
    resource_ids: ids('Its people, rooms and things.'),
    location_id: text('Id of the location.'),
    party_size: { type: 'integer', description: 'The number of people.' },
    buyer: { ...shape('BookingBuyer'), description: 'Who booked, and how to reach them.' },
    recipient: { ...shape('BookingBuyer'), description: 'Who receives the service, if it is not the buyer.' },
    notes: text('Notes of the buyer.'),
    actions: {
      type: 'array',
      items: { enum: ['move', 'cancel', 'keep'] },
      description: 'What can be done with the booking in its current state.',
    },
    suggestion: suggestionShape,
  },
}

export function toAffected(row: BookingRow, time: AnotherTime | undefined, tag: Tag) {
  const { id, service_id, status, starts_at, ends_at, resource_ids, record, people } = row
  const { zone, location, party_size, service } = record
  return {
    id,
    reference: referenceOf(row),
    revision: revisionOf(tag, row),
    service_id,
    service_name: service.name,
    status,
    start: rfc3339(zone, starts_at.getTime()),
    end: rfc3339(zone, ends_at.getTime()),
    resource_ids,
    party_size,
    buyer: people.buyer,
    actions: actionsFor(row),
    ...omitUndefined({
      location_id: location?.id,
      recipient: people.recipient,
      notes: people.notes,
      suggestion: time && toSuggestion(time, zone),
    }),
  }
}

function actionsFor(row: BookingRow) {
  const actions: ('move' | 'cancel' | 'keep')[] = []
  if (isPossible('reschedule', row)) actions.push('move')
  if (isPossible('cancel', row)) actions.push('cancel')
  return [...actions, 'keep' as const]
}

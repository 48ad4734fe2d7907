import { rfc3339 } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { shortened } from '../../../infra/util/plain-text.ts'
import type { ObjectSchema } from '../../../protocol/define-operation.ts'
import { fullName } from '../../bookings/people-of-booking.ts'
import type { BusySpan } from '../../busy-times/busy-time-queries.ts'
import { moment } from '../shared/operation-defaults.ts'
import { blockShape } from './block-schema.ts'
import { sessionShape } from './class-session-schema.ts'
import { type BookingOfDay, LONGEST_NOTES, type ReservedTime } from './day-schedule-queries.ts'

const text = (description: string) => ({ type: 'string', description })

const list = (description: string, items: object) => ({ type: 'array', description, items })

const LONGEST_NAME = 100

export const toDayBooking = ({ guest, notes, tags, attending, zone, from, to, ...row }: BookingOfDay) => {
  const { id, service_id, service_name, status, party_size } = row
  return {
    id,
    service_id,
    service_name,
    status,
    start: rfc3339(zone, from),
    end: rfc3339(zone, to),
    party_size,
    name: shortened(fullName(guest), LONGEST_NAME),
    ...omitUndefined({
      phone_number: guest.phone_number,
      attending: attending || undefined,
      tags: tags.length > 0 ? tags : undefined,
      notes: notes === null ? undefined : shortened(notes, LONGEST_NOTES),
    }),
  }
}

const bookings = {
  type: 'object',
  required: ['id', 'service_id', 'service_name', 'status', 'start', 'end', 'party_size', 'name'],
  properties: {
    id: text('Id of the booking.'),
    service_id: text('Id of the booked service.'),
    service_name: text('Name of the booked service.'),
    status: text('Status of the booking.'),
    start: moment('When it begins.'),
    end: moment('When it ends.'),
    party_size: { type: 'integer', description: 'The number of people.' },
    name: text('Name of the buyer or recipient.'),
    phone_number: text('Contact data.'),
    attending: {
      type: 'boolean',
      description: 'True if the buyer has confirmed that they will come; otherwise left out.',
    },
    tags: list('Tags of the customer, such as an allergy.', { type: 'string' }),
    notes: text('Notes on the booking; the beginning of a long text.'),
  },
}

const holds = {
  type: 'object',
  required: ['kind', 'start', 'end', 'expires_at'],
  properties: {
    kind: { enum: ['hold', 'offer'], description: 'Reserved by a hold, or by an offer of the waitlist.' },
    service_id: text('Id of the service.'),
    start: moment('Start, including buffer time.'),
    end: moment('End, including buffer time.'),
    expires_at: moment('When the reservation ends unless it becomes a booking.'),
  },
}

export const toReserved = ({ kind, service_id, from, to, expires_at }: ReservedTime, zone: string) => ({
  kind,
  ...(service_id !== null && { service_id }),
  start: rfc3339(zone, from),
  end: rfc3339(zone, to),
  expires_at: rfc3339(zone, expires_at.getTime()),
})

export const busyShape = {
  type: 'object',
  required: ['resource_id', 'start', 'end'],
  properties: { resource_id: text('The busy resource.'), start: moment('Start.'), end: moment('End.') },
}

export const toBusy = ({ resource_id, from, to }: BusySpan, zone: string) => ({
  resource_id,
  start: rfc3339(zone, from),
  end: rfc3339(zone, to),
})

const resourceShape = {
  type: 'object',
  required: ['id', 'name', 'type'],
  properties: { id: text('Its id.'), name: text('Its name.'), type: text('Its type.') },
}

const day = {
  date: { type: 'string', format: 'date', description: 'The day.' },
  timezone: text('Time zone of the times.'),
  blocks: list('Time that is blocked.', blockShape),
  sessions: list('Classes.', sessionShape),
  busy: list('Time that is busy in other calendars.', busyShape),
}

export const dayOutput: ObjectSchema = {
  type: 'object',
  required: ['resource', 'date', 'timezone', 'bookings', 'blocks', 'sessions', 'holds', 'busy'],
  properties: {
    resource: { ...resourceShape, description: 'The resource.' },
    ...day,
    bookings: list('Bookings, earliest first.', bookings),
    holds: list('Time that is reserved by holds and offers.', holds),
  },
}

export const wholeDayOutput: ObjectSchema = {
  type: 'object',
  required: ['date', 'timezone', 'resources', 'bookings', 'blocks', 'sessions', 'holds', 'busy'],
  properties: {
    ...day,
    resources: list('People, rooms and things.', {
      ...resourceShape,
      required: [...resourceShape.required, 'there'],
      properties: {
        ...resourceShape.properties,
        there: list('When they are available, occupied or not.', {
          type: 'object',
          required: ['start', 'end'],
          properties: { start: moment('Start.'), end: moment('End.') },
        }),
      },
    }),
    bookings: list('Bookings, earliest first; a class stands for its bookings.', {
      ...bookings,
      required: [...bookings.required, 'resource_ids'],
      properties: {
        ...bookings.properties,
        resource_ids: list('The people, rooms and things.', { type: 'string' }),
      },
    }),
    holds: list('Time that is reserved by holds and offers.', {
      ...holds,
      required: [...holds.required, 'resource_id'],
      properties: { ...holds.properties, resource_id: text('The reserved resources.') },
    }),
  },
}

import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import type { ObjectSchema } from '../../../protocol/define-operation.ts'
import type { AttemptRow, DeliveryRow } from './delivery-queries.ts'

export const STATUSES = ['waiting', 'delivered', 'given_up', 'unwanted'] as const

const moment = (description: string) => ({ type: 'string', format: 'date-time', description })

export const deliverySchema: ObjectSchema = {
  type: 'object',
  required: ['id', 'event', 'event_id', 'subject', 'receiver', 'status', 'attempts', 'timestamp'],
  properties: {
    id: { type: 'string', description: 'Id of the delivery.' },
    event: { type: 'string', description: 'The event, such as booking.canceled.' },
    event_id: { type: 'string', description: 'The id of the event for the receiver.' },
    subject: { type: 'string', description: 'The subject, such as `booking bkg_…`.' },
    receiver: { type: 'string', description: 'The receiver: a platform profile, strangers of one, or a subscription.' },
    status: {
      enum: STATUSES,
      description: 'unwanted: the receiver names no address for events, or a newer event replaced it before its retry.',
    },
    attempts: { type: 'integer', description: 'Number of attempts so far.' },
    timestamp: moment('When it happened.'),
    next_attempt_at: moment('When the next attempt is due, while it waits.'),
    ended_at: moment('When it was received or given up.'),
  },
}

export const attemptSchema: ObjectSchema = {
  type: 'object',
  required: ['at', 'milliseconds'],
  properties: {
    at: moment('When.'),
    status: { type: 'integer', description: 'HTTP status of the answer, if there was one.' },
    problem: { type: 'string', description: 'Why it does not count as received.' },
    milliseconds: { type: 'integer', description: 'Duration of the attempt.' },
  },
}

export const toDelivery = ({ next_at, at, ended_at, ...row }: DeliveryRow, zone: string) => ({
  ...row,
  timestamp: rfc3339Exact(zone, at),
  ...(row.status === 'waiting' && { next_attempt_at: rfc3339Exact(zone, next_at) }),
  ...(ended_at && { ended_at: rfc3339Exact(zone, ended_at) }),
})

export const toAttempt = ({ at, status, problem, milliseconds }: AttemptRow, zone: string) => ({
  at: rfc3339Exact(zone, at),
  milliseconds,
  ...(status !== null && { status }),
  ...(problem !== null && { problem }),
})

export const onDeliveries = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
} as const

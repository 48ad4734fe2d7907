import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import type { FeedRow } from './queries.ts'

export const onCalendars = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
} as const

/**
 * A calendar feed, as operations return it. Only the operation that creates the feed returns its secret address.
 */
export const toCalendar = ({ id, resource_id, created_at }: FeedRow, zone: string) => ({
  id,
  ...(resource_id !== null && { resource_id }),
  created_at: rfc3339Exact(zone, created_at),
})

export const calendarShape: Schema = {
  type: 'object',
  required: ['id', 'created_at'],
  properties: {
    id: { type: 'string', description: 'Id of the calendar.' },
    resource_id: { type: 'string', description: 'Whose calendar it is; missing if it shows the whole business.' },
    created_at: { type: 'string', format: 'date-time', description: 'When it was created.' },
  },
}

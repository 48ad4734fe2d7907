import { rfc3339, rfc3339Exact } from '../../../infra/time/time-zone.ts'
import type { ChangeRow } from './booking-and-change-queries.ts'

export const toChange = (
  { at, actor, actor_name, action, from_status, to_status, detail }: ChangeRow,
  zone: string,
) => ({
  at: rfc3339Exact(zone, at),
  actor,
  ...(actor_name !== null && { actor_name }),
  action,
  ...(from_status !== null && { from: from_status }),
  ...(to_status !== null && { to: to_status }),
  detail: Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, timeIn(zone, value)])),
})

/**
 * Converts a time in an audit log entry from UTC to the time zone of the business. Returns all other values unchanged.
 */
const timeIn = (zone: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)
    ? rfc3339(zone, Date.parse(value))
    : value

export const changeEntries = {
  type: 'array',
  description: 'The history, earliest change first.',
  items: {
    type: 'object',
    required: ['at', 'actor', 'action', 'detail'],
    properties: {
      at: { type: 'string', format: 'date-time', description: 'When.' },
      actor: {
        type: 'string',
        description: 'The actor: staff:…, a platform, buyer for a page of this server, or system.',
      },
      actor_name: { type: 'string', description: 'Name of the staff member, while they work here.' },
      action: { type: 'string', description: 'The action.' },
      from: { type: 'string', description: 'Status before.' },
      to: { type: 'string', description: 'Status after.' },
      detail: { type: 'object', description: 'Further details.' },
    },
  },
}

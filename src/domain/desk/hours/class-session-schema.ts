import { zoneOf } from '../../../core/business/definition-facts.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'
import type { Context, ObjectSchema } from '../../../protocol/define-operation.ts'
import { notFound } from '../shared/operation-defaults.ts'
import { type SessionState, sessionsList } from './class-session-queries.ts'

export const sessionShape = {
  type: 'object',
  required: ['id', 'service_id', 'start', 'end', 'resource_ids', 'capacity', 'taken', 'held', 'status'],
  description: 'A class at one time.',
  properties: {
    id: { type: 'string', description: 'Id of the class at this time.' },
    service_id: { type: 'string', description: 'Name of the service.' },
    start: { type: 'string', format: 'date-time', description: 'When it begins.' },
    end: { type: 'string', format: 'date-time', description: 'When it ends.' },
    location_id: { type: 'string', description: 'Where.' },
    resource_ids: { type: 'array', items: { type: 'string' }, description: 'Its teacher and its room.' },
    capacity: { type: 'integer', description: 'Number of places.' },
    taken: { type: 'integer', description: 'Number of taken places, including held ones.' },
    held: { type: 'integer', description: 'Number of places that are held or offered, but not booked.' },
    status: {
      enum: ['open', 'closed', 'canceled'],
      description: 'true if the class is closed: it takes place for its existing bookings, and nobody can join.',
    },
  },
}

export const sessionId = { type: 'string', minLength: 1, description: 'Id of the class at this time.' }

export const sessionOutput: ObjectSchema = {
  type: 'object',
  required: ['session'],
  properties: { session: sessionShape },
}

export const toSession = (row: SessionState, zone: string) => ({
  id: row.id,
  service_id: row.service_id,
  start: rfc3339(zone, row.starts_at.getTime()),
  end: rfc3339(zone, row.ends_at.getTime()),
  ...(row.location_id !== null && { location_id: row.location_id }),
  resource_ids: row.resource_ids,
  capacity: row.capacity,
  taken: row.taken,
  held: row.held,
  status: statusOf(row),
})

const statusOf = ({ canceled_at, wanted }: SessionState) => {
  if (canceled_at) return 'canceled' as const
  return wanted ? ('open' as const) : ('closed' as const)
}

export async function currentSession({ db, now, business }: Context, id: string) {
  const [row] = await sessionsList(db, { id }, now)
  if (!row) throw notFound('session', id)
  return toSession(row, await zoneOf({ business }))
}

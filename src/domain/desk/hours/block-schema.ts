import type { Selectable } from 'kysely'
import type { Blocks } from '../../../infra/db/schema.generated.ts'
import { rfc3339 } from '../../../infra/time/time-zone.ts'

export const blockShape = {
  type: 'object',
  required: ['id', 'resource_id', 'start', 'end', 'created_by', 'created_at'],
  description: 'Time in which the staff keep a resource free.',
  properties: {
    id: { type: 'string', description: 'Id of the block.' },
    resource_id: { type: 'string', description: 'The blocked resource.' },
    start: { type: 'string', format: 'date-time', description: 'Start of the block.' },
    end: { type: 'string', format: 'date-time', description: 'End of the block.' },
    reason: { type: 'string', description: 'The reason, for the staff.' },
    created_by: { type: 'string', description: 'Who blocked it.' },
    created_at: { type: 'string', format: 'date-time', description: 'When it was blocked.' },
  },
}

export const toBlock = (row: Selectable<Blocks>, zone: string) => ({
  id: row.id,
  resource_id: row.resource_id,
  start: rfc3339(zone, row.starts_at.getTime()),
  end: rfc3339(zone, row.ends_at.getTime()),
  ...(row.reason !== null && { reason: row.reason }),
  created_by: row.created_by,
  created_at: rfc3339(zone, row.created_at.getTime()),
})

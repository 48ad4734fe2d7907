import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

/**
 * Checks the times when people and rooms are busy in other calendars. Each busy time must belong to the resource of its
 * calendar. Each calendar must belong to a resource of the business.
 */
export async function verifyBusyTimes(db: Database, findings: Findings): Promise<void> {
  const { rows: foreign } = await sql<{ id: string; resource_id: string }>`
    select distinct s.id, b.resource_id from busy_times b left join calendar_sources s on s.id = b.source_id
    where s.resource_id is distinct from b.resource_id order by 1, 2`.execute(db)
  for (const { id, resource_id } of foreign)
    addFinding(findings, `calendar ${id} blocks time of ${resource_id}, to which it does not belong.`)
  const { rows: orphaned } = await sql<{ id: string; resource_id: string }>`
    select id, resource_id from calendar_sources
    where resource_id not in (select json_array_elements(definition -> 'resources') ->> 'id' from business)
    order by 1`.execute(db)
  for (const { id, resource_id } of orphaned)
    addFinding(findings, `calendar ${id} belongs to ${resource_id}, which the business does not have.`)
}

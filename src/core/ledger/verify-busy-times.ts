import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { addFinding, type Findings } from './verification-findings.ts'

/**
 * Checks the times when people and rooms are busy in other calendars. Each busy time must belong to the resource of its
 * calendar. Each calendar must belong to a resource of the business. If a booking or a class overlaps a busy time, this
 * conflict must be stored, so the staff see it.
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
  const { rows: unseen } = await sql<{ holder: string; source_id: string }>`
    select distinct replace(c.holder_kind, 'session', 'class') || ' ' || c.holder_id as holder, t.source_id
    from busy_times t join claims c on c.resource_id = t.resource_id and c.during && t.during
    where c.holder_kind in ('booking', 'session') and not exists (
      select from calendar_conflicts k where (k.source_id, k.event, k.claim_id) = (t.source_id, t.event, c.id))
    order by 1, 2`.execute(db)
  for (const { holder, source_id } of unseen)
    addFinding(findings, `${holder} overlaps a busy time of calendar ${source_id}, and the staff cannot see that.`)
}

import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { type ListedSource, sourcesDelete, sourcesList } from './source-queries.ts'

/** Deletes a connected calendar, and frees the time that it blocks. Returns undefined if there is no such calendar. */
export async function disconnectSource(
  tx: UnitOfWork,
  id: string,
  actor: string,
  now: Date,
): Promise<ListedSource | undefined> {
  const [row] = await sourcesList(tx, { id }, now)
  if (!row) return undefined
  await sourcesDelete(tx, [id], now)
  const { resource_id, host } = row
  const by = {
    actor,
    action: 'disconnect_calendar',
    subject: `connected_calendar ${id}`,
    detail: { resource_id, host },
  }
  insertAuditEntry(tx, { ...by, from: null, to: null }, now)
  return row
}

import type { Selectable } from 'kysely'
import { claimTake } from '../../../core/ledger/claims.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Blocks } from '../../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { newId } from '../../../infra/util/random-bytes.ts'

interface NewBlock {
  id?: string
  resource: string
  from: number
  to: number
  reason: string | null
  actor: string
}

/** Blocks the time. Returns undefined if part of it is claimed: the caller must then roll back. */
export async function insertBlock(
  tx: UnitOfWork,
  { id = newId('blk'), resource: resource_id, from, to, reason, actor }: NewBlock,
  now: Date,
): Promise<Selectable<Blocks> | undefined> {
  if (!(await claimTake(tx, { resources: [resource_id], time: { from, to }, holder: { kind: 'block', id } }, now)))
    return undefined
  const time = { starts_at: new Date(from), ends_at: new Date(to) }
  const row = { id, resource_id, ...time, reason, created_by: actor, created_at: now }
  await tx.insertInto('blocks').values(row).execute()
  const by = { actor, action: 'block', subject: `block ${id}`, detail: { resource_id, ...time } }
  insertAuditEntry(tx, { ...by, from: null, to: 'blocked' }, now)
  return row
}

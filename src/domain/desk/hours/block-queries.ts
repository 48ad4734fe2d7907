import { type Selectable, sql } from 'kysely'
import { claimsEnd, claimTake } from '../../../core/ledger/resource-claims.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { Blocks } from '../../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { newId } from '../../../infra/util/random-bytes.ts'

export type BlockPosition = [startsAt: number, id: string]

interface BlockQuery {
  resource: string | undefined
  after: BlockPosition | undefined
  limit: number
}

export async function blocksAhead(
  db: Database,
  { resource, after, limit }: BlockQuery,
  now: Date,
): Promise<Selectable<Blocks>[]> {
  const { rows } = await sql<Selectable<Blocks>>`
    select * from blocks
    where ends_at > ${now}
      ${resource === undefined ? sql`` : sql`and resource_id = ${resource}`}
      ${after === undefined ? sql`` : sql`and (starts_at, id) > (${new Date(after[0])}::timestamptz, ${after[1]})`}
    order by starts_at, id limit ${limit}`.execute(db)
  return rows
}

interface NewBlock {
  id?: string
  resource: string
  from: number
  to: number
  reason: string | null
  actor: string
}

/**
 * Blocks a time of a resource, so that buyers cannot book it. Returns undefined if a part of the time is already
 * occupied. The calling code must then roll back its transaction.
 */
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

/** Deletes blocks (times that the staff removed from the schedule). Buyers can then book these times again. */
export async function blocksDelete(tx: UnitOfWork, ids: readonly string[]): Promise<void> {
  await claimsEnd(tx, 'block', ids)
  await sql`delete from blocks where id = any (${ids}::text[])`.execute(tx)
}

import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { AvailabilityHint } from '../../../protocol/types.generated.ts'

export interface HintState {
  id: string
  basis: string | null
  generated_at: string | null
}

/**
 * Lists the time and the digest (hash) of each availability hint (a summary of free times), oldest first. The query
 * does not read the hints themselves, because most hints need no refresh yet.
 */
export async function hintStates(db: Database): Promise<HintState[]> {
  const { rows } = await sql<HintState>`
    select id, hint_basis as basis, body -> 'availability_hint' ->> 'generated_at' as generated_at from services
    where deleted_at is null and status = 'active'
    order by generated_at nulls first`.execute(db)
  return rows
}

interface PublishedHint {
  hint: AvailabilityHint | null
  modified_at: Date
}

export async function publishedHint(db: Database, id: string): Promise<PublishedHint | undefined> {
  const { rows } = await sql<PublishedHint>`
    select body -> 'availability_hint' as hint, modified_at from services
    where id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

/**
 * Stores the availability hint (a summary of free times) in the row of its service. If `isNew` is true, the catalogue
 * feed reports the service as changed. The transaction then also locks the row of the business, so that changes of the
 * catalogue happen one after another.
 */
export async function hintUpdate(
  tx: Database,
  { id, basis, hint }: { id: string; basis: string; hint: AvailabilityHint },
  { isNew }: { isNew: boolean },
  now: Date,
): Promise<void> {
  const modified_at = isNew ? await catalogueMove(tx, now) : undefined
  const service = await tx
    .selectFrom('services')
    .select('body')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .forUpdate()
    .executeTakeFirst()
  if (!service) return
  const body = JSON.stringify({ ...asRecord(service.body), availability_hint: hint })
  await tx
    .updateTable('services')
    .set({ body, hint_basis: basis, ...(modified_at && { modified_at }) })
    .where('id', '=', id)
    .execute()
}

async function catalogueMove(tx: Database, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ catalogue_modified_at: Date }>`
    update business set catalogue_modified_at = greatest(${now}, catalogue_modified_at + interval '1 millisecond')
    returning catalogue_modified_at`.execute(tx)
  return rows[0]?.catalogue_modified_at
}

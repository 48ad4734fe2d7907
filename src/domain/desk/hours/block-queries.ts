import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import type { Blocks } from '../../../infra/db/schema.generated.ts'

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

import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Holds } from '../db/schema.generated.ts'
import type { Caller } from '../protocol/operation.ts'

export type HoldRow = Selectable<Holds>

export async function holdInsert(
  tx: Database,
  hold: Omit<HoldRow, 'status' | 'booking_id' | 'released_at'>,
): Promise<HoldRow> {
  return tx
    .insertInto('holds')
    .values({ ...hold, status: 'active' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A hold of the caller's, locked; for anybody else there is none. */
export async function holdLock(
  tx: Database,
  id: string,
  { identities, profile }: Pick<Caller, 'identities' | 'profile'>,
): Promise<HoldRow | undefined> {
  return tx
    .selectFrom('holds')
    .selectAll()
    .where('id', '=', id)
    .where('principal', 'in', identities)
    .where('profile', '=', profile)
    .forUpdate()
    .executeTakeFirst()
}

export async function holdEnd(
  tx: Database,
  id: string,
  set: { status: 'released'; released_at: Date } | { status: 'converted'; booking_id: string },
): Promise<void> {
  await tx.updateTable('holds').set(set).where('id', '=', id).execute()
}

interface HoldUse {
  /** How many it has on this service, and when the first of them ends. */
  live: number
  frees_at: Date | null
  /** How many it gave up lately without a booking since, and when the last. */
  released: number
  released_at: Date | null
}

/** What a principal does with holds. Others of its calls wait, so that two cannot both be the last that is allowed. */
export async function holdUse(
  tx: Database,
  principal: string,
  serviceId: string,
  since: Date,
  now: Date,
): Promise<HoldUse> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holds of ${principal}`}, 0))`.execute(tx)
  const { rows } = await sql<HoldUse>`
    select count(*) filter (where status = 'active' and expires_at > ${now} and service_id = ${serviceId})::integer as live,
      min(expires_at) filter (where status = 'active' and expires_at > ${now} and service_id = ${serviceId}) as frees_at,
      count(*) filter (where released_at > coalesce(converted, ${since}))::integer as released,
      max(released_at) filter (where released_at > coalesce(converted, ${since})) as released_at
    from (
      select *, max(created_at) filter (where status = 'converted') over () as converted
      from holds where principal = ${principal} and created_at > ${since}
    ) recent`.execute(tx)
  return rows[0] ?? { live: 0, frees_at: null, released: 0, released_at: null }
}

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

/** How many live holds a principal has on a service, and when the first of them ends. Its other calls wait. */
export async function holdsLive(
  tx: Database,
  principal: string,
  serviceId: string,
  now: Date,
): Promise<{ live: number; frees_at: Date | null }> {
  // Or else two calls could both be the last that is allowed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`holds of ${principal}`}, 0))`.execute(tx)
  const { rows } = await sql<{ live: number; frees_at: Date | null }>`
    select count(*)::integer as live, min(expires_at) as frees_at
    from holds
    where principal = ${principal} and service_id = ${serviceId} and status = 'active' and expires_at > ${now}
      and created_at > ${before(now, 1)}`.execute(tx)
  return rows[0] ?? { live: 0, frees_at: null }
}

const before = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)

/** When a principal gave up holds since it last booked, on this day, the earliest first. */
export async function releases(tx: Database, principal: string, now: Date): Promise<number[]> {
  const { rows } = await sql<{ released_at: Date }>`
    select released_at
    from holds
    where principal = ${principal} and created_at > ${before(now, 1)} and released_at is not null
      and released_at > coalesce((select max(created_at) from bookings where principal = ${principal}), '-infinity')
    order by released_at`.execute(tx)
  return rows.map(({ released_at }) => released_at.getTime())
}

/** The same of all that call from one address and never booked; of nobody where the caller itself has. */
export async function releasesOfNewcomers(
  tx: Database,
  { principal, address }: { principal: string; address: string },
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ released_at: Date }>`
    select released_at
    from holds
    where address = ${address} and created_at > ${before(now, 1)} and released_at is not null
      and not exists (select from bookings where bookings.principal in (holds.principal, ${principal}))
    order by released_at`.execute(tx)
  return rows.map(({ released_at }) => released_at.getTime())
}

import { type Selectable, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { Holds } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { PriceTerms } from './price-terms.ts'

export type HoldRow = Omit<Selectable<Holds>, 'price'> & { price: PriceTerms | null }

export function holdInsert(tx: UnitOfWork, hold: Omit<HoldRow, 'status' | 'booking_id' | 'released_at'>): HoldRow {
  const row: HoldRow = { ...hold, status: 'active', booking_id: null, released_at: null }
  tx.insert('holds', { ...row, price: JSON.stringify(row.price) })
  return row
}

/** The oldest offer of this slot to the caller that has no live hold. */
export async function findOwnOffer(
  db: Database,
  { identities, profile }: Pick<Caller, 'identities' | 'profile'>,
  { service_id, slot_id }: Pick<HoldRow, 'service_id' | 'slot_id'>,
  now: Date,
): Promise<{ id: string; expires_at: Date } | undefined> {
  const { rows } = await sql<{ id: string; expires_at: Date }>`
    select id, expires_at from own_offer(${identities}::text[], ${profile}, ${service_id}, ${slot_id}, ${now})`.execute(
    db,
  )
  return rows[0]
}

/** Releases the holds of ended offers. These holds have no claims, so this releases no capacity. */
export async function releaseHoldsOfOffers(tx: Database, offers: readonly string[]): Promise<void> {
  await sql`
    update holds set status = 'released' where offer = any (${offers}::text[]) and status = 'active'`.execute(tx)
}

/** Locks a hold of the caller. Undefined for a hold of another caller. */
export async function holdLock(
  tx: Database,
  id: string,
  { identities, profile }: Pick<Caller, 'identities' | 'profile'>,
): Promise<HoldRow | undefined> {
  const found = await tx
    .selectFrom('holds')
    .selectAll()
    .where('id', '=', id)
    .where('principal', 'in', identities)
    .where('profile', '=', profile)
    .forUpdate()
    .executeTakeFirst()
  return found as HoldRow | undefined // The server wrote the JSON of `price` itself.
}

export async function holdEnd(
  tx: Database,
  id: string,
  set: { status: 'released'; released_at: Date } | { status: 'converted'; booking_id: string },
): Promise<void> {
  await tx.updateTable('holds').set(set).where('id', '=', id).execute()
}

export async function holdFind(db: Database, id: string, principal: string): Promise<HoldRow | undefined> {
  const query = db.selectFrom('holds').selectAll().where('id', '=', id).where('principal', '=', principal)
  return (await query.executeTakeFirst()) as HoldRow | undefined
}

export async function liveHoldFind(
  db: Database,
  { principal, service, now }: { principal: string; service: string; now: Date },
): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select * from holds
    where principal = ${principal} and service_id = ${service} and status = 'active' and expires_at > ${now}
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

/** A hold that an assistant placed for its user. */
export async function assistedHoldById(db: Database, id: string): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select * from holds where id = ${id} and starts_with(principal, 'assistant:')`.execute(db)
  return rows[0]
}

export async function assistedHoldFind(db: Database, principal: string): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select * from holds where principal = ${principal} and starts_with(principal, 'assistant:')
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

export async function holdMarkOpened(tx: Database, id: string, expires_at: Date): Promise<void> {
  await tx.updateTable('holds').set({ unopened_on: null, expires_at }).where('id', '=', id).execute()
}

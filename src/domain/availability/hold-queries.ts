import { type Selectable, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import type { Holds } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import type { PriceTerms } from '../pricing/slot-price.ts'

export type HoldRow = Omit<Selectable<Holds>, 'price'> & { price: PriceTerms | null }

export function holdInsert(tx: UnitOfWork, hold: Omit<HoldRow, 'status' | 'booking_id' | 'released_at'>): HoldRow {
  const row: HoldRow = { ...hold, status: 'active', booking_id: null, released_at: null }
  tx.insert('holds', { ...row, price: JSON.stringify(row.price) })
  return row
}

/**
 * Finds a waitlist offer (a slot that the server reserves for a waiting buyer) that the caller has for this slot. An
 * offer that an active hold already uses does not count. If several offers match, the function returns the offer of the
 * oldest waitlist entry.
 */
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

/**
 * Releases the holds (short reservations) that callers placed on waitlist offers, after the offers have ended. These
 * holds reserve no time or seats themselves, because the offers already reserved the slots.
 */
export async function releaseHoldsOfOffers(tx: Database, offers: readonly string[]): Promise<void> {
  await sql`
    update holds set status = 'released' where offer = any (${offers}::text[]) and status = 'active'`.execute(tx)
}

/**
 * Locks the row of a hold (a short reservation). Returns undefined if the hold does not exist or does not belong to the
 * caller.
 */
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
  return found as HoldRow | undefined // The cast is safe, because the server wrote the JSON of `price`.
}

export async function holdEnd(
  tx: Database,
  id: string,
  set: { status: 'released'; released_at: Date } | { status: 'converted'; booking_id: string },
): Promise<void> {
  await executePrepared(tx, tx.updateTable('holds').set(set).where('id', '=', id))
}

export async function holdFind(db: Database, id: string, principal: string): Promise<HoldRow | undefined> {
  const query = db.selectFrom('holds').selectAll().where('id', '=', id).where('principal', '=', principal)
  return (await query.executeTakeFirst()) as HoldRow | undefined
}

/**
 * Locks the hold (the short reservation) of a UCP checkout, which is a purchase through the Universal Commerce
 * Protocol. The function does not check the owner of the hold. The server checked the owner when it stored the hold in
 * the checkout.
 */
export async function holdLockById(tx: Database, id: string): Promise<HoldRow | undefined> {
  const query = sql<HoldRow>`
    select id, slot_id, service_id, spots, unopened_on, principal, profile, address, created_at, expires_at, price, offer,
      status, booking_id, released_at
    from holds where id = ${id} for update`
  const { rows } = await executePrepared(tx, query)
  return rows[0]
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

/** Finds a hold (a short reservation) that an AI assistant placed for a person. */
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

export async function holdUntil(tx: Database, id: string, expires_at: Date): Promise<void> {
  await executePrepared(tx, tx.updateTable('holds').set({ expires_at }).where('id', '=', id))
}

export async function holdMarkOpened(tx: Database, id: string, expires_at: Date): Promise<void> {
  await tx.updateTable('holds').set({ unopened_on: null, expires_at }).where('id', '=', id).execute()
}

export async function isHoldActive(db: Database, id: string, now: Date): Promise<boolean> {
  const found = db.selectFrom('holds').select('id').where('id', '=', id)
  return (await found.where('status', '=', 'active').where('expires_at', '>', now).executeTakeFirst()) !== undefined
}

/**
 * The status of a hold (a short reservation) at `now`. A hold past its deadline is expired, even if its stored status
 * is still `active`.
 */
export const holdStatus = ({ status, expires_at }: HoldRow, now: Date): Hold['status'] =>
  status === 'active' && expires_at <= now ? 'expired' : (status as Hold['status'])

export const toHold = (row: HoldRow, zone: string, now: Date): Hold => ({
  id: row.id,
  slot_id: row.slot_id,
  service_id: row.service_id,
  spots: row.spots,
  expires_at: rfc3339(zone, row.expires_at.getTime()),
  status: holdStatus(row, now),
})

/**
 * The server keeps ended holds (short reservations) for this number of days. In this time, a caller can still read
 * whether a hold was released, booked or expired. The server keeps replies to repeated calls for the same time.
 */
const RETENTION_DAYS = 7

/**
 * Deletes the rows of ended holds after `RETENTION_DAYS`, because each row contains personal data: the IP address or IP
 * range of the caller.
 */
export const deleteOldHolds = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'holds', 'expires_at', new Date(now.getTime() - RETENTION_DAYS * DAY))

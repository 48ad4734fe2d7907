import { type Selectable, sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import type { Sessions } from '../../infra/db/schema.generated.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { claimEnd } from './resource-claims.ts'

export type Session = Selectable<Sessions>

/** Locks a class session. Until this transaction ends, no buyer can take a seat in the session. */
export async function sessionLock(tx: Database, id: string): Promise<Session | undefined> {
  // This lock mode still allows one change: a buyer who holds a seat in the class session can book the seat.
  return tx.selectFrom('sessions').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/**
 * Whether the business definition still contains the class session. A caller that needs a current result must first
 * lock a seat of the session.
 */
export async function isSessionWanted(tx: Database, id: string): Promise<boolean> {
  const found = await tx.selectFrom('sessions').select('wanted').where('id', '=', id).executeTakeFirst()
  return found?.wanted ?? false
}

/**
 * Locks the held and offered seats of a class session. The function first waits until no other transaction is booking
 * one of these seats.
 */
export async function seatsLock(tx: Database, session: string): Promise<void> {
  await tx
    .selectFrom('seats')
    .select('holder_id')
    .where('session_id', '=', session)
    .where('holder_kind', '<>', 'booking')
    .forUpdate()
    .execute()
}

/** Deletes the expired reservations of seats in a class session. Returns the number of seats that are still taken. */
export async function deleteExpiredAndCountSeats(tx: Database, session: string, now: Date): Promise<number> {
  await tx.deleteFrom('seats').where('session_id', '=', session).where('expires_at', '<=', now).execute()
  const counted = await sql<{ taken: number }>`
    select coalesce(sum(spots), 0)::integer as taken from seats where session_id = ${session}`.execute(tx)
  return onlyRow(counted).taken
}

/** Sets the number of seats in a class session. Later changes of the business definition do not change this number. */
export async function sessionResize(tx: UnitOfWork, id: string, capacity: number): Promise<void> {
  tx.markReleased()
  await tx.updateTable('sessions').set({ capacity, resized: true }).where('id', '=', id).execute()
}

export async function sessionCancel(tx: Database, id: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ canceled_at: now }).where('id', '=', id).execute()
}

/**
 * Frees the people and rooms of a class session. Also deletes all reserved seats of the session, except the seats of
 * bookings.
 */
export async function sessionEnd(tx: UnitOfWork, id: string): Promise<void> {
  await tx.deleteFrom('seats').where('session_id', '=', id).where('holder_kind', '<>', 'booking').execute()
  await claimEnd(tx, { kind: 'session', id })
}

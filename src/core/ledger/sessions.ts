import { type Selectable, sql } from 'kysely'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { onlyRow } from '../../infra/db/only-row.ts'
import type { Sessions } from '../../infra/db/schema.generated.ts'
import { claimEnd } from './claims.ts'

export type Session = Selectable<Sessions>

/** A class, held until the transaction ends: nobody can join it meanwhile. */
export async function sessionLock(tx: Database, id: string): Promise<Session | undefined> {
  // A weaker lock than that of whoever joins, so that those who already have a place can go on to book it.
  return tx.selectFrom('sessions').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Whether the definition still wants the class. Asked after a seat was locked, it sees whoever closed the class before. */
export async function isSessionWanted(tx: Database, id: string): Promise<boolean> {
  const found = await tx.selectFrom('sessions').select('wanted').where('id', '=', id).executeTakeFirst()
  return found?.wanted ?? false
}

/** Whoever is about to book a place that was held or offered is done when this returns. */
export async function seatsLock(tx: Database, session: string): Promise<void> {
  await tx
    .selectFrom('seats')
    .select('holder_id')
    .where('session_id', '=', session)
    .where('holder_kind', '<>', 'booking')
    .forUpdate()
    .execute()
}

/** Places that are taken now. */
export async function seatsTaken(tx: Database, session: string, now: Date): Promise<number> {
  await tx.deleteFrom('seats').where('session_id', '=', session).where('expires_at', '<=', now).execute()
  const counted = await sql<{ taken: number }>`
    select coalesce(sum(spots), 0)::integer as taken from seats where session_id = ${session}`.execute(tx)
  return onlyRow(counted).taken
}

/** The size stays as it was chosen here, whatever the definition says. */
export async function sessionResize(tx: Change, id: string, capacity: number): Promise<void> {
  tx.frees()
  await tx.updateTable('sessions').set({ capacity, resized: true }).where('id', '=', id).execute()
}

/** From now on nobody can join it. */
export async function sessionCancel(tx: Database, id: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ canceled_at: now }).where('id', '=', id).execute()
}

/** Frees its teacher and its room, and all places that are not booked. */
export async function sessionEnd(tx: Change, id: string): Promise<void> {
  await tx.deleteFrom('seats').where('session_id', '=', id).where('holder_kind', '<>', 'booking').execute()
  await claimEnd(tx, { kind: 'session', id })
}

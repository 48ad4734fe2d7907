import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { writeLater } from '../db/later.ts'
import type { Holds } from '../db/schema.generated.ts'
import type { Caller } from '../protocol/operation.ts'

export type HoldRow = Selectable<Holds>

export async function holdInsert(
  tx: Database,
  hold: Omit<HoldRow, 'status' | 'booking_id' | 'released_at'>,
): Promise<HoldRow> {
  const row: HoldRow = { ...hold, status: 'active', booking_id: null, released_at: null }
  await writeLater(tx, 'holds', tx.insertInto('holds').values(row))
  return row
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

/** What decides whether a principal may hold yet another slot. */
interface HoldUse {
  /** How many live holds it has on the service, and when the first of them ends. */
  live: number
  frees_at: Date | null
  /** When it gave up holds since it last booked, on this day, the earliest first. */
  released: Date[]
  /** The same of all that call from its address and never booked; of nobody where it has booked itself. */
  released_nearby: Date[]
}

/** What a principal does with holds. Others of its calls wait, so that two cannot both be the last that is allowed. */
export async function holdUse(
  tx: Database,
  { principal, address }: { principal: string; address: string },
  serviceId: string,
  now: Date,
): Promise<HoldUse> {
  const { rows } = await sql<HoldUse>`
    select live, frees_at, released, released_nearby
    from hold_use(${principal}, ${address}, ${serviceId}, ${now}::timestamptz) /* kept */`.execute(tx)
  return rows[0] ?? { live: 0, frees_at: null, released: [], released_nearby: [] }
}

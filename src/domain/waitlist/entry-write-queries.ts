import { sql } from 'kysely'
import { seatsEndOf } from '../../core/ledger/class-session-seats.ts'
import { claimsEnd } from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { releaseHoldsOfOffers } from '../availability/hold-queries.ts'
import { after, type Step } from './lifecycle.ts'
import type { EntryRow } from './queries.ts'

export async function entryInsert(
  tx: Database,
  entry: Pick<
    EntryRow,
    'id' | 'principal' | 'profile' | 'service_id' | 'slot_id' | 'buyer' | 'preferred' | 'told_apart' | 'locale'
  > & { ends_at: Date | null },
  now: Date,
): Promise<void> {
  const { buyer, preferred, ...rest } = entry
  await tx
    .insertInto('waitlist_entries')
    .values({
      ...rest,
      buyer: JSON.stringify(buyer),
      preferred: preferred ? JSON.stringify(preferred) : null,
      revision: 1,
      status: 'waiting',
      created_at: now,
      updated_at: now,
    })
    .execute()
}

type Set = Partial<
  Pick<
    EntryRow,
    'last_position' | 'offered_slot_id' | 'offered_from' | 'offered_to' | 'offer_expires_at' | 'booking_id'
  >
>

/**
 * The maximum number of declined slots that the server remembers for one waitlist entry. After more declines, the
 * server may offer the oldest declined slot again.
 */
const MAX_DECLINED = 100

/**
 * Changes a waitlist entry. If `toEnd` is set, the entry moves to the end of the waitlist. `declined` is a slot that
 * the server must not offer to this entry again.
 */
export async function entryUpdate(
  tx: Database,
  { id, status }: EntryRow,
  { step, toEnd = false, declined, ...set }: Set & { step: Step; toEnd?: boolean; declined?: string | null },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('waitlist_entries')
    .set(({ eb }) => ({
      ...set,
      status: after(status, step),
      revision: eb('revision', '+', 1),
      updated_at: now,
      ...(toEnd && { queue: sql`nextval('waitlist_queue')` }),
      ...(declined && {
        declined: sql`(array_append(declined, ${declined}))[greatest(1, cardinality(declined) + 2 - ${MAX_DECLINED}):]`,
      }),
    }))
    .where('id', '=', id)
    .execute()
}

/** Expires these waitlist entries and stores their last positions, in one SQL statement. */
export async function entriesExpire(tx: Database, entries: readonly EntryRow[], set: Set, now: Date): Promise<void> {
  const positions = JSON.stringify(entries.map(({ id, position }) => ({ id, position })))
  const was = sql<{ id: string; position: number }>`json_to_recordset(${positions}::json)`
  await tx
    .updateTable('waitlist_entries as e')
    .from(was.as<'was'>(sql`was (id text, position integer)`))
    .set(({ eb, ref }) => ({
      ...set,
      status: 'expired',
      last_position: ref('was.position'),
      revision: eb('e.revision', '+', 1),
      updated_at: now,
    }))
    .whereRef('e.id', '=', 'was.id')
    .execute()
}

/**
 * Forgets which waitlist entries declined this slot. The server calls this function when it offers the slot to an
 * entry. If the slot becomes free again later, the server can offer it to the other entries again.
 */
export async function removeFromDeclined(tx: Database, serviceId: string, slotId: string): Promise<void> {
  await sql`
    update waitlist_entries set declined = array_remove(declined, ${slotId})
    where service_id = ${serviceId} and status = 'waiting' and ${slotId} = any (declined)`.execute(tx)
}

export const endOffer = (tx: UnitOfWork, entry: Pick<EntryRow, 'id'>): Promise<void> => endOffers(tx, [entry])

/**
 * Ends the offers of these waitlist entries and releases their slots. Hundreds of offers for one class may expire at
 * the same time, so the function uses only a few SQL statements.
 */
export async function endOffers(tx: UnitOfWork, entries: readonly Pick<EntryRow, 'id'>[]): Promise<void> {
  const ids = entries.map(({ id }) => id)
  await claimsEnd(tx, 'offer', ids)
  await seatsEndOf(tx, 'offer', ids)
  await releaseHoldsOfOffers(tx, ids)
}

/** Deletes waitlist entries and their offers without events. This is only right for the invented entries of a demo. */
export async function entriesDelete(tx: UnitOfWork, ids: readonly string[]): Promise<void> {
  await endOffers(
    tx,
    ids.map((id) => ({ id })),
  )
  await sql`delete from waitlist_entries where id = any (${ids}::text[])`.execute(tx)
}

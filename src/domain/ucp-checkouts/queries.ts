import { sql } from 'kysely'
import { clearReplies } from '../../core/records/stored-replies.ts'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { type ChargeRow, type Settlement, settleStatement } from './charge-queries.ts'
import type { CheckoutRow } from './checkout-row.ts'

type Owner = Pick<Caller, 'identities' | 'profile'>

const owned = ({ identities, profile }: Owner) => sql`principal = any (${identities}::text[]) and profile = ${profile}`

const columns = sql.raw(
  `k.id, k.booking_id, k.order_id, k.principal, k.profile, k.told_apart, k.status, k.service_id, k.hold_id, k.owns_hold,
  k.request, k.people, k.agreed, k.faults, k.created_at, k.updated_at, k.expires_at, k.completed_at, k.locale`,
)

const stored = ({ request, people, agreed, faults, ...row }: CheckoutRow) => ({
  ...row,
  request: JSON.stringify(request),
  people: people && JSON.stringify(people),
  agreed: JSON.stringify(agreed),
  faults: JSON.stringify(faults),
})

export function checkoutInsert(tx: UnitOfWork, row: CheckoutRow): void {
  tx.insert('ucp_checkouts', stored(row))
}

/** Stores the new state of a UCP checkout. If a charge is given, the same statement stores the new state of the charge. */
export async function checkoutUpdate(tx: Database, row: CheckoutRow, charge?: Settlement): Promise<void> {
  const { id, created_at, booking_id, order_id, ...set } = stored(row)
  const update = tx.updateTable('ucp_checkouts').set(set).where('id', '=', id)
  const settled = charge ? sql`with charge as (${settleStatement(charge, row.updated_at)}) ` : sql``
  await executePrepared(tx, sql`${settled}${update}`)
}

export async function checkoutFind(db: Database, id: string, owner: Owner): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select * from ucp_checkouts where id = ${id} and ${owned(owner)}`.execute(db)
  return rows[0]
}

/**
 * Finds a UCP checkout of any caller. The web page for the buyer needs this query, because the platform created the
 * checkout, not the buyer.
 */
export async function checkoutById(db: Database, id: string): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`select * from ucp_checkouts where id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Tells whether another unfinished UCP checkout uses this hold (a reserved slot). If so, the server refuses the hold.
 * The calling code has already locked the hold.
 */
export async function isHoldInUse(tx: Database, hold: string, except: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    select from ucp_checkouts
    where hold_id = ${hold} and status in ('open', 'completing', 'escalated') and id is distinct from ${except ?? null}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Finds the completed UCP checkout of an order. The order must belong to the caller. */
export async function checkoutOfOrder(db: Database, order: string, owner: Owner): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select * from ucp_checkouts where order_id = ${order} and status = 'completed' and ${owned(owner)}`.execute(db)
  return rows[0]
}

/** Finds the completed UCP checkout of an order. The order can belong to any caller. */
export async function checkoutByOrder(db: Database, order: string): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select * from ucp_checkouts where order_id = ${order} and status = 'completed'`.execute(db)
  return rows[0]
}

export async function checkoutLock(tx: Database, id: string): Promise<CheckoutRow | undefined> {
  const query = sql<CheckoutRow>`select ${columns} from ucp_checkouts k where k.id = ${id} for update`
  const { rows } = await executePrepared(tx, query)
  return rows[0]
}

export interface LockedCharge {
  charge: Omit<ChargeRow, 'request_key' | 'request_digest' | 'created_at'>
  checkout: CheckoutRow
}

/**
 * Locks a charge and its UCP checkout, in one statement. PostgreSQL locks the checkout first, because `for update of`
 * names it first. All other code locks it first too, which prevents deadlocks.
 */
export async function chargeLock(tx: Database, id: string): Promise<LockedCharge | undefined> {
  const query = sql<CheckoutRow & Pick<LockedCharge, 'charge'>>`
    select ${columns}, to_json(c) as charge
    from ucp_charges c join ucp_checkouts k on k.id = c.checkout_id
    where c.id = ${id}
    for update of k, c`
  const { rows } = await executePrepared(tx, query)
  if (!rows[0]) return undefined
  const { charge, ...checkout } = rows[0]
  return { charge, checkout }
}

/**
 * Deletes uncompleted UCP checkouts one day after their hold (the reserved slot) ended. If the server has tried a
 * charge, it deletes only the personal data, because the charge stays as evidence.
 */
export async function deleteOldCheckouts(db: Database, now: Date): Promise<void> {
  const isOld = sql`status in ('open', 'canceled') and expires_at < ${new Date(now.getTime() - DAY)}`
  const isCharged = sql`exists (select from ucp_charges where checkout_id = c.id)`
  const { rows } = await sql<{ subject: string }>`
    select 'booking ' || booking_id as subject from ucp_checkouts c
    where people is not null and ${isOld}`.execute(db)
  // The server clears the stored replies first. They contain personal data, and after the deletion of the checkout an
  // erasure no longer finds them.
  await clearReplies(
    db,
    rows.map(({ subject }) => subject),
  )
  await deleteInBatches(() =>
    sql`delete from ucp_checkouts where id in (
      select id from ucp_checkouts c where ${isOld} and not ${isCharged}
      order by expires_at limit ${BATCH} for update skip locked
    )`.execute(db),
  )
  await sql`update ucp_checkouts c set people = null where people is not null and ${isOld}`.execute(db)
}

import { type RawBuilder, sql } from 'kysely'
import { dueAfterCrash, isFree, LEASED } from '../../core/jobs/row-lease.ts'
import type { Database } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { ChargeStatus } from './charge-lifecycle.ts'
import type { CheckoutRow } from './checkout-row.ts'

export interface ChargeRow {
  id: string
  checkout_id: string
  order_id: string
  booking_id: string
  provider: string
  reference: string | null
  amount: number
  currency: string
  status: ChargeStatus
  actor: string
  request_key: string | null
  request_digest: Buffer
  problem: Message | null
  /** Whether the staff returned the money, after the provider had refused to return it. */
  returned_by_hand: boolean
  created_at: Date
}

const columns = sql`c.id, c.checkout_id, c.order_id, c.booking_id, c.provider, c.reference, c.amount::float8, c.currency,
  c.status, c.actor, c.request_key, c.request_digest, c.problem, c.returned_by_hand,
  c.created_at`

/**
 * The duration of the lease on a new charge, in seconds. During the lease, only one process works on the charge. The
 * work consists of at most three calls to the provider, and each call takes at most 32 seconds with its retries.
 */
const ASKING_SECONDS = 120

/**
 * Stores a new charge and the new state of its UCP checkout. Returns false if the caller already used the idempotency
 * key for another charge. The calling code must then roll back the transaction.
 */
export async function chargeInsert(
  tx: Database,
  row: Omit<ChargeRow, 'created_at' | 'returned_by_hand'>,
  checkout: Pick<CheckoutRow, 'status' | 'expires_at'>,
  now: Date,
): Promise<boolean> {
  const { id, checkout_id, order_id, booking_id, provider, amount, currency, status, actor } = row
  const until = new Date(now.getTime() + ASKING_SECONDS * 1000)
  const { numAffectedRows = 0n } = await executePrepared(
    tx,
    sql`
      with checkout as (
        update ucp_checkouts set status = ${checkout.status}, expires_at = ${checkout.expires_at}, updated_at = ${now}
        where id = ${checkout_id}
      )
      insert into ucp_charges (id, checkout_id, order_id, booking_id, provider, amount, currency, status, actor, request_key,
        request_digest, created_at, updated_at, next_at, leased_until)
      values (${id}, ${checkout_id}, ${order_id}, ${booking_id}, ${provider}, ${amount}, ${currency}, ${status}, ${actor},
        ${row.request_key}, ${row.request_digest}, ${now}, ${now}, ${until}, now() + ${ASKING_SECONDS}::integer * interval '1 second')
      on conflict on constraint ucp_charges_request do nothing`,
  )
  return numAffectedRows > 0n
}

/**
 * Stores the provider's id of a charge. Returns false if the charge is already settled, and the server must then take
 * no money.
 */
export async function chargeReferenceSet(db: Database, id: string, reference: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await executePrepared(
    db,
    sql`update ucp_charges set reference = ${reference} where id = ${id} and status = 'intended' and reference is null`,
  )
  return numAffectedRows > 0n
}

export async function chargeFind(db: Database, id: string): Promise<ChargeRow | undefined> {
  const { rows } = await sql<ChargeRow>`select ${columns} from ucp_charges c where id = ${id}`.execute(db)
  return rows[0]
}

/** Lists all charges of a UCP checkout, latest first. */
export async function chargesOf(db: Database, checkoutId: string): Promise<ChargeRow[]> {
  const { rows } = await executePrepared(
    db,
    sql<ChargeRow>`
      select ${columns} from ucp_charges c where checkout_id = ${checkoutId} order by created_at desc, id`,
  )
  return rows
}

/** An SQL condition for charges that the staff must return by hand, because the provider refuses to return them. */
export const isUnreturned = sql`status = 'unreturned'`

type UnreturnedCharge = Pick<
  ChargeRow,
  'id' | 'order_id' | 'provider' | 'reference' | 'amount' | 'currency' | 'created_at'
>

/** Lists the charges that the staff must return by hand, oldest first. */
export async function unreturnedCharges(db: Database, most: number): Promise<UnreturnedCharge[]> {
  const { rows } = await sql<UnreturnedCharge>`
    select id, order_id, provider, reference, amount::float8, currency, created_at from ucp_charges
    where ${isUnreturned} order by created_at, id limit ${most}`.execute(db)
  return rows
}

export type Settlement = Pick<ChargeRow, 'id' | 'status' | 'problem'> &
  Partial<Pick<ChargeRow, 'returned_by_hand'>> & {
    /** The money that the provider took, if the server must return it. */
    received?: Pick<ChargeRow, 'amount' | 'currency'>
  }

export async function chargeSettle(tx: Database, settlement: Settlement, now: Date): Promise<void> {
  await executePrepared(tx, settleStatement(settlement, now))
}

export function settleStatement(
  { id, status, problem, received, returned_by_hand = false }: Settlement,
  now: Date,
): RawBuilder<unknown> {
  const { amount = null, currency = null } = received ?? {}
  return sql`
    update ucp_charges set status = ${status}, problem = ${problem && JSON.stringify(problem)}::json, updated_at = ${now},
      next_at = ${now}, leased_until = null, begun = 0,
      returned_by_hand = ${returned_by_hand}, amount = coalesce(${amount}::bigint, amount), currency = coalesce(${currency}::text, currency)
    where id = ${id}`
}

/**
 * Takes a lease (a temporary exclusive right) on unsettled charges that no other process works on. Some of their
 * processes may have died.
 */
export async function chargesLease(db: Database, most: number, now: Date): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    update ucp_charges c set leased_until = ${LEASED}, begun = begun + 1,
      next_at = ${dueAfterCrash(sql.ref('c.next_at'), sql.ref('c.begun'), now)}
    where c.id in (
      select u.id from ucp_charges u
      where u.status in ('intended', 'requires_action', 'reversing') and u.next_at <= ${now} and ${isFree('u')}
      order by u.next_at limit ${most} for update of u skip locked)
    returning ${columns}`.execute(db)
  return rows
}

/**
 * Takes a lease (a temporary exclusive right) on an unsettled charge. Returns undefined if another process still works
 * on the charge.
 */
export async function chargeLease(db: Database, id: string): Promise<ChargeRow | undefined> {
  const { rows } = await sql<ChargeRow>`
    update ucp_charges c set leased_until = ${LEASED}, begun = begun + 1
    where c.id = ${id} and c.status in ('intended', 'requires_action', 'reversing') and ${isFree('c')}
    returning ${columns}`.execute(db)
  return rows[0]
}

export async function chargeLeasesRenew(db: Database, rows: readonly ChargeRow[]): Promise<void> {
  await sql`update ucp_charges set leased_until = ${LEASED}
    where id = any (${rows.map(({ id }) => id)}::text[]) and leased_until is not null`.execute(db)
}

export async function chargePostpone(db: Database, id: string, until: Date): Promise<void> {
  await sql`update ucp_charges set next_at = ${until}, leased_until = null, begun = 0
    where id = ${id} and status in ('intended', 'requires_action', 'reversing')`.execute(db)
}

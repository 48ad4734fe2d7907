import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { lowerBound } from '../../infra/util/binary-search.ts'
import { QueryBatcher } from '../../infra/util/query-batcher.ts'

export interface ClaimHolder {
  kind: 'hold' | 'booking' | 'offer' | 'block' | 'session'
  id: string
}

/**
 * A time interval in milliseconds since 1970. The instant `from` belongs to the interval, and the instant `to` does
 * not.
 */
export interface Time {
  from: number
  to: number
}

/**
 * A claim says that a holder, such as a booking, occupies people, rooms or items in a time interval. A claim without
 * `expiresAt` does not expire.
 */
export interface Claim {
  resources: readonly string[]
  /** The claimed time interval. It includes the buffer times before and after a booking. */
  time: Time
  holder: ClaimHolder
  expiresAt?: Date | undefined
}

/** Returns a time interval as PostgreSQL reads it. */
export const rangeOf = ({ from, to }: Time): string => `[${new Date(from).toISOString()},${new Date(to).toISOString()})`

/**
 * Claims a time interval of several people, rooms or items for one holder, such as a booking. If one of them is not
 * free, returns false, and the caller must roll back the transaction.
 */
export async function claimTake(tx: Database, claim: Claim, now: Date): Promise<boolean> {
  const { resources, time, holder, expiresAt } = claim
  const answer = await executePrepared(
    tx,
    sql<{ taken: boolean }>`
      select claim_conflicting_time(${resources}::text[], ${rangeOf(time)}::tstzrange, ${holder.kind}, ${holder.id},
        ${expiresAt}::timestamptz, ${now}::timestamptz) as taken`,
  )
  return onlyRow(answer).taken
}

/**
 * Claims a time interval of several people, rooms or items. The database executes the claim at the transaction's next
 * query or at its commit. If one of them is not free, the transaction fails with the error `refusal`.
 */
export function claimRequire(tx: UnitOfWork, claim: Claim, now: Date, refusal: () => Error): void {
  const { resources, time, holder, expiresAt } = claim
  const values = [resources, rangeOf(time), holder.kind, holder.id, expiresAt, now]
  tx.require({ name: 'claim_conflicting_time', values, refusal })
}

/**
 * Locks people, rooms or items (resources). Other transactions that lock the same resources wait until this transaction
 * ends.
 */
export async function resourcesLock(tx: Database, resources: readonly string[]): Promise<void> {
  await sql`select lock_resources(${resources}::text[])`.execute(tx)
}

/**
 * Locks people, rooms or items (resources). Throws an error if a part of the time interval was released and the server
 * must first offer it to the waitlist.
 */
export async function resourcesLockUnlessWaitlisted(
  tx: Database,
  resources: readonly string[],
  time: Time,
  now: Date,
): Promise<void> {
  await sql`select ask_time(${resources}::text[], ${rangeOf(time)}::tstzrange, ${now}::timestamptz)`.execute(tx)
}

/**
 * Describes the transfer of claims (occupied times) or seats from one holder to the next, for example from a hold to
 * its booking. Without `expiresAt`, the claims or seats of the next holder never expire.
 */
export interface NewHolder {
  from: ClaimHolder
  to: ClaimHolder
  expiresAt: Date | undefined
}

/**
 * Transfers the unexpired claims of one holder to another, for example from a hold (a short reservation) to its
 * booking. Returns the ids of the claimed people and rooms.
 */
export async function claimPass(tx: Database, { from, to, expiresAt }: NewHolder, now: Date): Promise<string[]> {
  const query = tx
    .updateTable('claims')
    .set({ holder_kind: to.kind, holder_id: to.id, expires_at: expiresAt ?? null })
    .where('holder_kind', '=', from.kind)
    .where('holder_id', '=', from.id)
    .where((claim) => claim.or([claim('expires_at', 'is', null), claim('expires_at', '>', now)]))
    .returning('resource_id')
  const { rows } = await executePrepared(tx, query)
  return rows.map(({ resource_id }) => resource_id)
}

export const claimEnd = (tx: UnitOfWork, { kind, id }: ClaimHolder): Promise<void> => claimsEnd(tx, kind, [id])

export async function claimsEnd(tx: UnitOfWork, kind: ClaimHolder['kind'], ids: readonly string[]): Promise<void> {
  tx.markReleased()
  await sql`select end_claims(${kind}, id) from unnest(${ids}::text[]) as id`.execute(tx)
}

export interface ClaimedSpan {
  from: number
  to: number
  held: boolean
}

/**
 * The claimed time intervals of each person, room or item, in the binary format that the database returns. The function
 * `decodeClaims` decodes this format.
 */
export type EncodedClaims = ReadonlyMap<string, readonly Buffer[]>

const claimBatchers = new WeakMap<Database, QueryBatcher<EncodedClaims>>()

/**
 * Reads the claimed times of people, rooms or items. While buyers are on the waitlist, a released time still counts as
 * claimed until the server has offered it to them. Concurrent callers with the same interval share one query, so the
 * result can contain resources of another caller. A transaction has its own query, so that it sees its own writes.
 */
export function claimsWithin(
  db: Database,
  resources: readonly string[],
  time: Time,
  now: Date,
): Promise<EncodedClaims> {
  if (db.isTransaction) return readClaims(db, resources, time, now)
  const batcher = claimBatchers.get(db) ?? new QueryBatcher()
  claimBatchers.set(db, batcher)
  const { from, to } = time
  const question = { query: `${from} ${to}`, subjects: resources, at: now.getTime() }
  return batcher.ask(question, (all, at) => readClaims(db, all, time, new Date(at)))
}

async function readClaims(
  db: Database,
  resources: readonly string[],
  { from, to }: Time,
  now: Date,
): Promise<EncodedClaims> {
  const { rows } = await executePrepared(
    db,
    sql<{ resource: string; taken: Buffer | null }>`
      select resource, taken from time_occupied(${resources}::text[], ${new Date(from)}, ${new Date(to)}, ${now})`,
  )
  const lines = new Map<string, Buffer[]>()
  for (const { resource, taken } of rows) if (taken) lines.set(resource, [...(lines.get(resource) ?? []), taken])
  return lines
}

/**
 * Returns the unexpired claims of a holder, such as a booking. In a search for a new time of the booking, the server
 * treats these claims as free.
 */
export async function claimsOf(
  db: Database,
  { kind, id }: ClaimHolder,
  now: Date,
): Promise<readonly (Time & { resource: string })[]> {
  const { rows } = await sql<{ resource: string; from: Date; to: Date }>`
    select resource_id as resource, lower(during) as from, upper(during) as to from claims
    where holder_kind = ${kind} and holder_id = ${id} and (expires_at is null or expires_at > ${now})`.execute(db)
  return rows.map(({ resource, from, to }) => ({ resource, from: from.getTime(), to: to.getTime() }))
}

/**
 * The number of bytes of one claimed interval in the binary format of the database: two timestamps of 8 bytes, and one
 * byte. The last byte is 1 if a hold (a short reservation) claims the interval.
 */
const ENTRY_BYTES = 17
const POSTGRES_EPOCH_MS = Date.UTC(2000)

/**
 * Decodes the claimed intervals of one person, room or item, and returns them in the order of time. Each element of
 * `lines` contains intervals in order. The database returns the intervals that are reserved for the waitlist in
 * separate elements.
 */
export function decodeClaims(lines: readonly Buffer[]): ClaimedSpan[] {
  const taken: ClaimedSpan[] = []
  for (const line of lines)
    for (let at = 0; at < line.length; at += ENTRY_BYTES)
      taken.push({ from: instantAt(line, at), to: instantAt(line, at + 8), held: line[at + 16] === 1 })
  return lines.length > 1 ? taken.sort((one, other) => one.from - other.from) : taken
}

/**
 * Whether a resource (person, room or item) is claimed at any moment in the interval. A day with hundreds of resources
 * has a thousand claimed intervals. Therefore the function searches the encoded intervals without decoding them.
 */
export function isClaimedIn(line: Buffer, from: number, to: number): boolean {
  const at =
    ENTRY_BYTES * lowerBound(line.length / ENTRY_BYTES, (nth) => instantAt(line, nth * ENTRY_BYTES + 8) <= from)
  return at < line.length && instantAt(line, at) < to
}

/**
 * Converts a PostgreSQL timestamp (a 64-bit number of microseconds since 2000) to milliseconds since 1970. The function
 * reads the number in two halves, because a JavaScript number cannot store large 64-bit integers exactly.
 */
const instantAt = (line: Buffer, at: number) =>
  POSTGRES_EPOCH_MS + Math.round((line.readInt32BE(at) * 2 ** 32 + line.readUInt32BE(at + 4)) / 1000)

import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { lowerBound } from '../../infra/util/lower-bound.ts'
import { QueryBatcher } from '../../infra/util/query-batcher.ts'

export interface ClaimHolder {
  kind: 'hold' | 'booking' | 'offer' | 'block' | 'session'
  id: string
}

/** Half-open interval in milliseconds. */
export interface Time {
  from: number
  to: number
}

/** One span of time that the holder claims on all these resources. Without `expiresAt`, the claim does not expire. */
export interface Claim {
  resources: readonly string[]
  /** Includes the buffers around a booking. */
  time: Time
  holder: ClaimHolder
  expiresAt?: Date | undefined
}

const rangeOf = ({ from, to }: Time) => `[${new Date(from).toISOString()},${new Date(to).toISOString()})`

/** Claims the time on all resources. On false, some resources may be claimed already: the caller must roll back. */
export async function claimTake(tx: Database, claim: Claim, now: Date): Promise<boolean> {
  const { resources, time, holder, expiresAt } = claim
  const answer = await executePrepared(
    tx,
    sql<{ taken: boolean }>`
      select claim_time(${resources}::text[], ${rangeOf(time)}::tstzrange, ${holder.kind}, ${holder.id},
        ${expiresAt}::timestamptz, ${now}::timestamptz) as taken`,
  )
  return onlyRow(answer).taken
}

/** Like `claimTake`, but sent with the gathered statements of the unit of work. A refusal ends the unit of work. */
export function claimRequire(tx: UnitOfWork, claim: Claim, now: Date, refusal: () => Error): void {
  const { resources, time, holder, expiresAt } = claim
  const values = [resources, rangeOf(time), holder.kind, holder.id, expiresAt, now]
  tx.require({ name: 'claim_time', values, refusal })
}

/** Competing transactions for these resources wait until this transaction ends. */
export async function resourcesLock(tx: Database, resources: readonly string[]): Promise<void> {
  await sql`select lock_resources(${resources}::text[])`.execute(tx)
}

/** Like `resourcesLock`. It also refuses the time when the waitlist has priority for a part of it. */
export async function resourcesLockUnlessWaitlisted(
  tx: Database,
  resources: readonly string[],
  time: Time,
  now: Date,
): Promise<void> {
  await sql`select ask_time(${resources}::text[], ${rangeOf(time)}::tstzrange, ${now}::timestamptz)`.execute(tx)
}

/** A change of the holder. Without `expiresAt`, the claims or seats do not expire. */
export interface NewHolder {
  from: ClaimHolder
  to: ClaimHolder
  expiresAt: Date | undefined
}

/** Passes the unexpired claims of a holder to another holder. Returns the ids of their resources. */
export async function claimPass(tx: Database, { from, to, expiresAt }: NewHolder, now: Date): Promise<string[]> {
  const passed = await tx
    .updateTable('claims')
    .set({ holder_kind: to.kind, holder_id: to.id, expires_at: expiresAt ?? null })
    .where('holder_kind', '=', from.kind)
    .where('holder_id', '=', from.id)
    .where((claim) => claim.or([claim('expires_at', 'is', null), claim('expires_at', '>', now)]))
    .returning('resource_id')
    .execute()
  return passed.map(({ resource_id }) => resource_id)
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

/** Claimed spans of each resource in the binary form of the database. `decodeClaims` decodes it. */
export type EncodedClaims = ReadonlyMap<string, readonly Buffer[]>

const claimBatchers = new WeakMap<Database, QueryBatcher<EncodedClaims>>()

/**
 * The claims on these resources within the time. Includes released capacity that the waitlist has priority for. Concurrent
 * callers with the same time share one query, so the result may contain further resources. A transaction queries separately
 * and sees its own writes.
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
      select resource, taken from time_taken(${resources}::text[], ${new Date(from)}, ${new Date(to)}, ${now})`,
  )
  const lines = new Map<string, Buffer[]>()
  for (const { resource, taken } of rows) if (taken) lines.set(resource, [...(lines.get(resource) ?? []), taken])
  return lines
}

/** The unexpired claims of a holder. A search for another time counts them as free. */
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

/** Format of `taken_time` in the database: two timestamps of 8 bytes and a flag of 1 byte. */
const ENTRY_BYTES = 17
const POSTGRES_EPOCH_MS = Date.UTC(2000)

/**
 * Decodes the lines and sorts them by time. Each line is sorted already. Each released span that the waitlist has priority
 * for is a separate line.
 */
export function decodeClaims(lines: readonly Buffer[]): ClaimedSpan[] {
  const taken: ClaimedSpan[] = []
  for (const line of lines)
    for (let at = 0; at < line.length; at += ENTRY_BYTES)
      taken.push({ from: instantAt(line, at), to: instantAt(line, at + 8), held: line[at + 16] === 1 })
  return lines.length > 1 ? taken.sort((one, other) => one.from - other.from) : taken
}

/**
 * Tells if a part of this time is claimed. Binary search on the raw line: a day of hundreds of resources has a thousand
 * spans.
 */
export function isClaimedIn(line: Buffer, from: number, to: number): boolean {
  const at =
    ENTRY_BYTES * lowerBound(line.length / ENTRY_BYTES, (nth) => instantAt(line, nth * ENTRY_BYTES + 8) <= from)
  return at < line.length && instantAt(line, at) < to
}

/**
 * Converts 64-bit microseconds since 2000 to milliseconds. Splits the number to stay within the safe integers of
 * JavaScript.
 */
const instantAt = (line: Buffer, at: number) =>
  POSTGRES_EPOCH_MS + Math.round((line.readInt32BE(at) * 2 ** 32 + line.readUInt32BE(at + 4)) / 1000)

import { sql } from 'kysely'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { onlyRow } from '../../infra/db/only-row.ts'
import { executePrepared } from '../../infra/db/prepared.ts'
import { AskedTogether } from '../../infra/util/asked-together.ts'
import { partition } from '../../infra/util/partition.ts'

/** Who has the time. */
export interface ClaimHolder {
  kind: 'hold' | 'booking' | 'offer' | 'block' | 'session'
  id: string
}

/** Milliseconds, the end not included; whatever is kept free around a booking is part of it. */
export interface Time {
  from: number
  to: number
}

/** Time that somebody has of all these resources, for ever or until it lapses. */
export interface Claim {
  resources: readonly string[]
  time: Time
  holder: ClaimHolder
  expiresAt?: Date | undefined
}

const rangeOf = ({ from, to }: Time) => `[${new Date(from).toISOString()},${new Date(to).toISOString()})`

/** Takes the time of all these resources. When it answers no, some may be taken: the caller must roll back. */
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

/** The same with the rest of the change, which ends where some of it is taken. */
export function claimDemand(tx: Change, claim: Claim, now: Date, refusal: () => Error): void {
  const { resources, time, holder, expiresAt } = claim
  const values = [resources, rangeOf(time), holder.kind, holder.id, expiresAt, now]
  tx.demand({ name: 'claim_time', values, refusal })
}

/** Rivals for these resources wait until the transaction ends. */
export async function resourcesLock(tx: Database, resources: readonly string[]): Promise<void> {
  await sql`select lock_resources(${resources}::text[])`.execute(tx)
}

/** The same for whoever wants some of it, unless it belongs to those who wait. */
export async function timeAsk(tx: Database, resources: readonly string[], time: Time, now: Date): Promise<void> {
  await sql`select ask_time(${resources}::text[], ${rangeOf(time)}::tstzrange, ${now}::timestamptz)`.execute(tx)
}

/** Passes what a holder still has to another, and says how many resources that are. */
export async function claimPass(
  tx: Database,
  from: ClaimHolder,
  to: ClaimHolder,
  expiresAt: Date | undefined,
  now: Date,
): Promise<string[]> {
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

export const claimEnd = (tx: Change, { kind, id }: ClaimHolder): Promise<void> => claimsEnd(tx, kind, [id])

/** The same of many, one after the other, in one statement. */
export async function claimsEnd(tx: Change, kind: ClaimHolder['kind'], ids: readonly string[]): Promise<void> {
  tx.frees()
  await sql`select end_claims(${kind}, id) from unnest(${ids}::text[]) as id`.execute(tx)
}

export interface TakenTime {
  from: number
  to: number
  held: boolean
}

/** What is taken of each resource, as it came from the database; `takenIn` reads it. */
export type TakenLines = ReadonlyMap<string, readonly Buffer[]>

const together = new WeakMap<Database, AskedTogether<TakenLines>>()

/**
 * What of these resources, and perhaps of others, is taken within the time, by whatever, or is for those who wait. Many who look at
 * the same days at once are one reader; within a change each sees what it did itself before.
 */
export function claimsWithin(db: Database, resources: readonly string[], time: Time, now: Date): Promise<TakenLines> {
  if (db.isTransaction) return readClaims(db, resources, time, now)
  const of = together.get(db) ?? new AskedTogether()
  together.set(db, of)
  const { from, to } = time
  const question = { what: `${from} ${to}`, about: resources, at: now.getTime() }
  return of.ask(question, (all, at) => readClaims(db, all, time, new Date(at)))
}

async function readClaims(
  db: Database,
  resources: readonly string[],
  { from, to }: Time,
  now: Date,
): Promise<TakenLines> {
  const { rows } = await executePrepared(
    db,
    sql<{ resource: string; taken: Buffer | null }>`
      select resource, taken from time_taken(${resources}::text[], ${new Date(from)}, ${new Date(to)}, ${now})`,
  )
  const lines = new Map<string, Buffer[]>()
  for (const { resource, taken } of rows) if (taken) lines.set(resource, [...(lines.get(resource) ?? []), taken])
  return lines
}

/** What a holder still has itself: whoever looks for another time may have that, too. */
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

/** As `taken_time` writes it in the database: two instants and a flag. */
const LENGTH = 17
const MILLENNIUM = Date.UTC(2000)

/** In the order of time. Each line is; what came free, mostly nothing, is a line of its own. */
export function takenIn(lines: readonly Buffer[]): TakenTime[] {
  const taken: TakenTime[] = []
  for (const line of lines)
    for (let at = 0; at < line.length; at += LENGTH)
      taken.push({ from: instantAt(line, at), to: instantAt(line, at + 8), held: line[at + 16] === 1 })
  return lines.length > 1 ? taken.sort((one, other) => one.from - other.from) : taken
}

/** Whether any of this time is taken in one line, of which no more is read than is needed: a day of hundreds is a thousand times. */
export function isTakenIn(line: Buffer, from: number, to: number): boolean {
  const at = LENGTH * partition(line.length / LENGTH, (nth) => instantAt(line, nth * LENGTH + 8) <= from)
  return at < line.length && instantAt(line, at) < to
}

/** Microseconds of 64 bits, without a number that is larger than those of the language. */
const instantAt = (line: Buffer, at: number) =>
  MILLENNIUM + Math.round((line.readInt32BE(at) * 2 ** 32 + line.readUInt32BE(at + 4)) / 1000)

import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../basics/new-id.ts'
import { portions } from '../basics/portions.ts'
import { businessLock } from '../business/queries.ts'
import type { Change } from '../db/change.ts'
import type { OpenDatabase } from '../db/database.ts'
import { inChange } from '../db/in-change.ts'
import { claimEnd, claimsEnd, claimTake } from '../ledger/claims.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import { DAY } from '../time/units.ts'
import { type Plan, planOf } from './plan.ts'
import { inOrder, sessionParts, type WantedSession } from './sessions.ts'

/** Sessions exist this long before they can be booked. */
const AHEAD = 3 * DAY

/** Makes the stored class sessions those that the definition wants; the time of teachers and rooms is claimed for them. */
export async function syncSessions(tx: Change, business: BusinessDefinition, now: Date): Promise<void> {
  const plans = business.services.flatMap(({ id, type }) => (type === 'group' ? (planOf(business, id) ?? []) : []))
  const wanted: { plan: Plan; sessions: WantedSession[] }[] = []
  for (const plan of plans) wanted.push({ plan, sessions: await wantedOf(plan, now) })
  await tx.deleteFrom('seats').where('expires_at', '<=', now).execute()
  const names = wanted.flatMap(({ plan, sessions }) => sessions.map((session) => sessionKey(plan.service.id, session)))
  const kept = await removeUnwanted(tx, names, now)
  for (const { plan, sessions } of wanted)
    await openSessions(
      tx,
      plan,
      sessions.filter((session) => !isAsWanted(kept.get(sessionKey(plan.service.id, session)), session)),
      now,
    )
}

async function wantedOf(plan: Plan, now: Date): Promise<WantedSession[]> {
  const parts: WantedSession[][] = []
  for (const part of sessionParts(plan, [now.getTime(), now.getTime() + plan.maxAdvance + AHEAD])) {
    parts.push(part)
    await othersTurn()
  }
  return inOrder(parts)
}

/** A session at another place or with other resources is another session. */
const sessionKey = (service: string, { start, location, resources }: WantedSession) =>
  [service, start, location ?? '', ...resources].join(' ')

interface StoredSession {
  id: string
  key: string
  capacity: number
  resized: boolean
}

const isAsWanted = (stored: StoredSession | undefined, { capacity }: WantedSession) =>
  stored !== undefined && (stored.resized || stored.capacity === capacity)

/** Deletes unwanted sessions that nobody has or had a seat in; the others stay, closed to new participants. What is wanted is told by its key. */
async function removeUnwanted(tx: Change, names: string[], now: Date): Promise<ReadonlyMap<string, StoredSession>> {
  const { rows } = await sql<StoredSession & { taken: boolean; wanted: boolean; was: boolean }>`
    select *, key = any (${names}::text[]) as wanted from (
      select s.id, s.capacity, s.resized, s.wanted as was, exists (select from seats where session_id = s.id)
          or exists (select from bookings where session_id = s.id) as taken,
        concat_ws(' ', s.service_id, (extract(epoch from s.starts_at) * 1000)::bigint, coalesce(s.location_id, ''),
          nullif(array_to_string(s.resource_ids, ' '), '')) as key
      from sessions s
      where s.starts_at > ${now} and s.canceled_at is null
      for update
    ) as stored`.execute(tx)
  const changed = rows.filter(({ taken, wanted, was }) => (taken || wanted) && wanted !== was)
  for (const wanted of [true, false]) {
    const ids = changed.filter((row) => row.wanted === wanted).map(({ id }) => id)
    // As one value: of many there would be more than a statement can have.
    if (ids.length > 0) await sql`update sessions set wanted = ${wanted} where id = any (${ids}::text[])`.execute(tx)
  }
  const unwanted = rows.filter(({ taken, wanted }) => !taken && !wanted).map(({ id }) => id)
  for (const ids of portions(unwanted, AT_ONCE)) {
    await claimsEnd(tx, 'session', ids)
    await sql`delete from seats where session_id = any (${ids}::text[])`.execute(tx)
    await sql`delete from sessions where id = any (${ids}::text[])`.execute(tx)
  }
  return new Map(rows.filter(({ wanted }) => wanted).map((row) => [row.key, row]))
}

/** In one statement: tens of thousands one by one take minutes, in which nobody can join any of them. */
const AT_ONCE = 500

/** Many at once where they take nobody's time; of several at one instant the others come after the first. */
async function openSessions(tx: Change, plan: Plan, wanted: readonly WantedSession[], now: Date): Promise<void> {
  const alone = new Map<number, WantedSession>()
  for (const session of wanted)
    if (session.resources.length === 0 && !alone.has(session.start)) alone.set(session.start, session)
  for (const portion of portions([...alone.values()], AT_ONCE))
    await insertSessions(
      tx,
      plan,
      portion.map((session) => ({ ...session, id: newId('ses') })),
    )
  for (const session of wanted) if (alone.get(session.start) !== session) await openSession(tx, plan, session, now)
}

/** Opens a session, unless its teacher or room is taken; then the next run tries again. */
async function openSession(tx: Change, plan: Plan, wanted: WantedSession, now: Date): Promise<void> {
  const { start, end, resources } = wanted
  const id = newId('ses')
  const [opened] = await insertSessions(tx, plan, [{ ...wanted, id }])
  const time = { from: start - plan.before, to: end + plan.after }
  const holder = { kind: 'session', id } as const
  if (opened?.id !== id || resources.length === 0) return
  if (await claimTake(tx, { resources, time, holder }, now)) return
  await claimEnd(tx, holder)
  await tx.deleteFrom('sessions').where('id', '=', id).execute()
}

const insertSessions = (tx: Change, { service }: Plan, sessions: readonly (WantedSession & { id: string })[]) =>
  tx
    .insertInto('sessions')
    .values(
      sessions.map(({ id, start, end, location = null, resources, capacity }) => ({
        ...{ id, service_id: service.id, location_id: location, resource_ids: resources, capacity },
        ...{ starts_at: new Date(start), ends_at: new Date(end) },
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['service_id', 'starts_at'])
        .doUpdateSet({ capacity: sql`greatest(excluded.capacity, ${seatsTaken})` })
        .where('sessions.resized', '=', false)
        .whereRef('sessions.capacity', '<>', 'excluded.capacity'),
    )
    .returning('id')
    .execute()

const seatsTaken = sql`coalesce((select sum(spots) from seats where session_id = sessions.id), 0)`

/** The recurring run, for the definition in force; the lock keeps a new definition from being applied meanwhile. */
export async function extendSessions(db: OpenDatabase, now: Date): Promise<void> {
  await inChange(db, async (tx) => {
    const business = await businessLock(tx)
    if (business) await syncSessions(tx, business, now)
  })
}

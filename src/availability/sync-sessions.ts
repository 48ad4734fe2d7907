import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../basics/new-id.ts'
import { businessLock } from '../business/queries.ts'
import type { Change } from '../db/change.ts'
import type { OpenDatabase } from '../db/database.ts'
import { inChange } from '../db/in-change.ts'
import { claimEnd, claimTake } from '../ledger/claims.ts'
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
  await removeUnwanted(tx, names, now)
  for (const { plan, sessions } of wanted) for (const session of sessions) await openSession(tx, plan, session, now)
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

/** Deletes unwanted sessions that nobody has or had a seat in; the others stay, closed to new participants. */
async function removeUnwanted(tx: Change, names: string[], now: Date): Promise<void> {
  const { rows } = await sql<{ id: string; taken: boolean; wanted: boolean }>`
    select s.id, exists (select from seats where session_id = s.id)
        or exists (select from bookings where session_id = s.id) as taken,
      concat_ws(' ', s.service_id, (extract(epoch from s.starts_at) * 1000)::bigint, coalesce(s.location_id, ''),
        nullif(array_to_string(s.resource_ids, ' '), '')) = any (${names}::text[]) as wanted
    from sessions s
    where s.starts_at > ${now} and s.canceled_at is null
    for update`.execute(tx)
  const keep = rows.filter(({ taken, wanted }) => taken || wanted)
  for (const wanted of [true, false]) {
    const ids = keep.filter((row) => row.wanted === wanted).map(({ id }) => id)
    // As one value: of many there would be more than a statement can have.
    if (ids.length > 0) await sql`update sessions set wanted = ${wanted} where id = any (${ids}::text[])`.execute(tx)
  }
  for (const { id } of rows.filter(({ taken, wanted }) => !taken && !wanted)) {
    await claimEnd(tx, { kind: 'session', id })
    await tx.deleteFrom('seats').where('session_id', '=', id).execute()
    await tx.deleteFrom('sessions').where('id', '=', id).execute()
  }
}

/** Opens a session, unless its teacher or room is taken; then the next run tries again. */
async function openSession(tx: Change, plan: Plan, wanted: WantedSession, now: Date): Promise<void> {
  const { start, end, location = null, resources, capacity } = wanted
  const id = newId('ses')
  const session = { id, service_id: plan.service.id, location_id: location, resource_ids: resources, capacity }
  const opened = await tx
    .insertInto('sessions')
    .values({ ...session, starts_at: new Date(start), ends_at: new Date(end) })
    .onConflict((conflict) =>
      conflict
        .columns(['service_id', 'starts_at'])
        .doUpdateSet({ capacity: sql`greatest(excluded.capacity, ${seatsTaken})` })
        .where('sessions.resized', '=', false)
        .where('sessions.capacity', '<>', capacity),
    )
    .returning(['id', 'capacity'])
    .executeTakeFirst()
  const time = { from: start - plan.before, to: end + plan.after }
  const holder = { kind: 'session', id } as const
  if (opened?.id !== id || resources.length === 0) return
  if (await claimTake(tx, { resources, time, holder }, now)) return
  await claimEnd(tx, holder)
  await tx.deleteFrom('sessions').where('id', '=', id).execute()
}

const seatsTaken = sql`coalesce((select sum(spots) from seats where session_id = sessions.id), 0)`

/** The recurring run, for the definition in force; the lock keeps a new definition from being applied meanwhile. */
export async function extendSessions(db: OpenDatabase, now: Date): Promise<void> {
  await inChange(db, async (tx) => {
    const business = await businessLock(tx)
    if (business) await syncSessions(tx, business, now)
  })
}

import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Due, deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { attemptInsert, eventInsert, eventsInsert } from '../../src/core/events/queries.ts'
import { type Database, openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'

const db = openDatabase(await freshDatabase(), 6, () => {}, { keepIdle: false })
afterAll(() => db.destroy())
beforeEach(() => sql`truncate events, deliveries cascade`.execute(db))

const now = new Date('2026-11-20T12:00:00Z')
const RECEIVER = 'profile https://platform.example/'
const AT_ONCE = 96
const OF_ONE = 32

let made = 0
/** Of each of these subjects one event, of this state. */
function tell(tx: Database, subjects: readonly string[], { state = 0, at = now, replaceable = true } = {}) {
  const rows = sql`
    select nth as place, subject, json_build_object('state', ${state}::integer) as snapshot, ${RECEIVER}::text as receiver
    from unnest(${subjects}::text[]) with ordinality as s (subject, nth)`
  const ids = subjects.map(() => `evt_${made++}`)
  return eventsInsert(tx, { type: 'state', ids, rows, replaceable }, at)
}
const many = (name: string, count: number) => Array.from({ length: count }, (_, nth) => `entry ${name}${nth}`)
const take = (most: number, at = now) => deliveriesLease(db, most, at)
const namesOf = (due: Due[]) => due.map(({ subject }) => subject).toSorted()
const done = async (due: Due[]) => {
  for (const one of due)
    await attemptInsert(
      db,
      one,
      { status: 204, problem: undefined, milliseconds: 1, outcome: { status: 'delivered', next: now } },
      now,
    )
}
const offer = (subject: string, at = now) =>
  eventInsert(db, { id: `evt_${made++}`, type: 'offer', subject, content: { snapshot: {} } }, [RECEIVER], at)

test('[offers go before positions] of one receiver whose places are all used up', async () => {
  await tell(db, many('waits', 100))
  const later = new Date(now.getTime() + 5_000)
  await offer('entry offered', later)
  const first = await take(AT_ONCE, later)
  expect(first).toHaveLength(OF_ONE)
  expect(namesOf(first)).toContain('entry offered')

  await offer('entry another', later)
  expect(await take(AT_ONCE, later)).toEqual([])
  await done(first.filter(({ subject }) => subject !== 'entry offered').slice(0, 1))
  expect(namesOf(await take(AT_ONCE, later))).toEqual(['entry another'])
})

test('[positions are never starved] one of them at a time is sent, however many offers wait', async () => {
  await tell(db, many('waits', 10))
  for (const subject of many('offered', 100)) await offer(subject, new Date(now.getTime() + 1))
  const later = new Date(now.getTime() + 5_000)
  const first = await take(AT_ONCE, later)
  expect(namesOf(first).filter((subject) => subject.startsWith('entry waits'))).toEqual(['entry waits0'])
  // Of two that end, the place of the position is a position's again.
  await done(first.filter(({ subject }) => ['entry waits0', 'entry offered0'].includes(subject)))
  expect(namesOf(await take(AT_ONCE, later))).toEqual(['entry offered31', 'entry waits1'])
})

test('[positions are never starved] nor where the places of all receivers are used up', async () => {
  await tell(db, ['entry waits'])
  for (const subject of many('offered', 20)) await offer(subject, new Date(now.getTime() + 1))
  expect(namesOf(await take(1, new Date(now.getTime() + 5_000)))).toEqual(['entry waits'])
})

test('[a position that is being sent is not replaced] whichever of the two comes first', async () => {
  await tell(db, ['entry a', 'entry b'], { state: 1 })
  const replacing = await db.startTransaction().execute()
  await tell(replacing, ['entry a'], { state: 2 })
  // Nobody waits for the transaction that replaces it.
  expect(namesOf(await take(AT_ONCE))).toEqual(['entry b'])
  await replacing.commit().execute()
  expect(await take(AT_ONCE)).toMatchObject([{ subject: 'entry a', snapshot: { state: 2 } }])

  await tell(db, ['entry a', 'entry b'], { state: 3 })
  await tell(db, ['entry a', 'entry b'], { state: 4 })
  const { rows } = await sql<{ subject: string; states: number[] }>`
    select d.subject, array_agg((e.snapshot ->> 'state')::integer order by d.id) as states
    from deliveries d join events e on e.id = d.event_id group by 1 order by 1`.execute(db)
  expect(rows).toEqual([
    { subject: 'entry a', states: [2, 4] },
    { subject: 'entry b', states: [1, 4] },
  ])
})

test('[nothing lost] while states change and workers send, each queue ends with its newest state, in order', async () => {
  const subjects = many('moves', 12)
  const ROUNDS = 150
  const sent = new Map<string, number[]>(subjects.map((subject) => [subject, []]))
  let isOver = false
  const work = async () => {
    for (;;) {
      const wasOver = isOver
      const due = await take(4)
      if (due.length === 0 && wasOver) return
      await pass(Math.random() * 6)
      for (const one of due) sent.get(one.subject)?.push((one.snapshot as { state: number }).state)
      await done(due)
    }
  }
  const workers = [work(), work(), work()]
  for (let state = 1; state <= ROUNDS; state++) {
    const some = subjects.filter(() => state === ROUNDS || Math.random() < 0.7)
    await db.transaction().execute(async (tx) => {
      await tell(tx, some, { state, replaceable: state % 10 > 0 })
      await pass(Math.random() * 4)
    })
  }
  isOver = true
  await Promise.all(workers)
  const states = [...sent.values()]
  expect(states.map((all) => all.at(-1))).toEqual(subjects.map(() => ROUNDS))
  for (const all of states) expect(all).toEqual([...new Set(all)].toSorted((one, other) => one - other))
  const { rows } = await sql<{ replaced: number; left: number }>`
    select count(*) filter (where status = 'waiting')::integer as left from deliveries`.execute(db)
  expect(rows).toEqual([{ left: 0 }])
  // Otherwise the test would say nothing of replacing.
  expect(states.flat().length).toBeLessThan(ROUNDS * subjects.length * 0.6)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { syncSessions, syncSessionsIfBehind } from '../../src/domain/definition/sync-class-sessions.ts'
import { WEEKDAYS } from '../../src/infra/time/time-units.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const classes = (capacity: number, times: number) =>
  businessWith([
    service('svc_class', {
      type: 'group',
      capacity: { max: 8 },
      sessions: Array.from({ length: times }, (_, hour) => ({
        days: [...WEEKDAYS],
        capacity,
        starts: `${String(hour).padStart(2, '0')}:00`,
      })),
    }),
  ])

const server = await testServer(classes(8, 20))
const { db } = server.runtime
const stored = async () => {
  const { rows } = await sql<{ id: string; capacity: number; written: string }>`
    select id, capacity, xmin::text as written from sessions order by starts_at, id`.execute(db)
  return rows
}

test('[many classes] those that are as they should be are not written anew, day after day', async () => {
  const before = await stored()
  expect(before.length).toBeGreaterThan(1_000)
  await syncSessions(server.runtime, server.time.now)
  expect(await stored()).toEqual(before)
})

test('[many classes] what a new definition has otherwise is brought to it, and what it has no more is gone', async () => {
  const before = await stored()
  await server.apply(classes(5, 10))
  const after = await stored()
  expect(new Set(after.map(({ capacity }) => capacity))).toEqual(new Set([5]))
  expect(after).toHaveLength(before.length / 2)
  expect(before.map(({ id }) => id)).toEqual(expect.arrayContaining(after.map(({ id }) => id)))
  await server.apply(classes(8, 20))
  expect(await stored()).toHaveLength(before.length)
})

test('[many classes] a run that is stopped says how much is left, makes the earliest first, and is completed by the next', async () => {
  await server.apply(classes(8, 10))
  const before = await stored()
  await sql`delete from sessions`.execute(db)
  let asked = 0
  const left = await syncSessions(server.runtime, server.time.now, { shouldStop: () => ++asked > 1 })
  const made = await stored()
  expect([left > 0, left + made.length]).toEqual([true, before.length])
  const starts = async () => {
    const { rows } = await sql<{ first: Date; last: Date }>`
      select min(starts_at) as first, max(starts_at) as last from sessions`.execute(db)
    return rows[0]
  }
  const early = await starts()
  expect(await syncSessionsIfBehind(server.runtime, server.time.now)).toBe(0)
  expect(await stored()).toHaveLength(before.length)
  const all = await starts()
  expect(early?.first).toEqual(all?.first)
  expect(Number(early?.last)).toBeLessThan(Number(all?.last))
})

test('[many classes] once all are as they should be, they are not compared every minute, but once a day and after a change', async () => {
  const whole = await stored()
  const lose = (one?: { id: string }) => sql`delete from sessions where id = ${one?.id ?? ''}`.execute(db)
  await lose(whole[0])
  expect(await syncSessionsIfBehind(server.runtime, server.time.now)).toBe(0)
  expect(await stored()).toHaveLength(whole.length - 1)
  await syncSessions(server.runtime, server.time.now)
  const again = await stored()
  expect(again).toHaveLength(whole.length)
  await lose(again[0])
  await server.apply(classes(7, 10))
  expect(await stored()).toHaveLength(whole.length)
})

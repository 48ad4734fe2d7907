import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimsWithin, claimTake, decodeClaims } from '../../src/core/ledger/resource-claims.ts'
import { EncodedOccupancy } from '../../src/domain/availability/resource-occupancy.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { countStatements } from '../support/count-statements.ts'
import { freshDatabase } from '../support/database.ts'

const now = new Date('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const hour = (nth: number) => ({ from: now.getTime() + nth * HOUR, to: now.getTime() + (nth + 1) * HOUR })
const day = { from: now.getTime(), to: now.getTime() + 24 * HOUR }
const people = Array.from({ length: 130 }, (_, nth) => `staff_${nth}`)

const whole = openDatabase(await freshDatabase(), 10, () => {}, { keepIdle: false })
afterAll(() => whole.destroy())
beforeAll(() =>
  whole.transaction().execute(async (tx) => {
    for (const [nth, resource] of people.entries())
      await claimTake(
        tx,
        { resources: [resource], time: hour(nth % 24), holder: { kind: 'booking', id: resource } },
        now,
      )
  }),
)

test('who looks at the same days of other people in one turn shares a statement, and sees what they would alone', async () => {
  const { db, counts } = countStatements(whole)
  const wanted = [people.slice(0, 3), people.slice(2, 5), ['nobody'], people.slice(0, 1)]
  const found = await Promise.all(wanted.map((resources) => claimsWithin(db, resources, day, now)))
  expect(counts.statements).toBe(1)
  for (const [nth, resources] of wanted.entries())
    for (const resource of resources) {
      const taken = decodeClaims(found[nth]?.get(resource) ?? [])
      expect(taken).toEqual(resource === 'nobody' ? [] : [{ ...hour(people.indexOf(resource) % 24), held: false }])
    }
})

test('who looks at other days has a statement of their own, and so has who asks for very many', async () => {
  const { db, counts } = countStatements(whole)
  const other = { from: day.from, to: day.to + HOUR }
  await Promise.all([day, other].map((time) => claimsWithin(db, people.slice(0, 1), time, now)))
  expect(counts.statements).toBe(2)
  await Promise.all(people.map((resource) => claimsWithin(db, [resource], day, now)))
  expect(counts.statements).toBe(2 + Math.ceil(people.length / 64))
})

test('within a change what it did itself is seen, and by nobody else', async () => {
  await whole.transaction().execute(async (tx) => {
    const time = hour(30)
    await claimTake(tx, { resources: ['staff_0'], time, holder: { kind: 'booking', id: 'new' } }, now)
    const [within, outside] = await Promise.all(
      [tx, whole].map((db) => claimsWithin(db, ['staff_0'], { from: time.from, to: time.to }, now)),
    )
    expect(decodeClaims(within?.get('staff_0') ?? [])).toEqual([{ ...time, held: false }])
    expect(decodeClaims(outside?.get('staff_0') ?? [])).toEqual([])
  })
})

test('whether a time is taken is found in what came from the database as in all of it made out', async () => {
  await whole.transaction().execute(async (tx) => {
    for (const start of [50, 52, 53, 57])
      await claimTake(
        tx,
        { resources: ['staff_9'], time: hour(start), holder: { kind: 'booking', id: `${start}` } },
        now,
      )
  })
  const lines =
    (await claimsWithin(whole, ['staff_9'], { from: hour(48).from, to: hour(60).to }, now)).get('staff_9') ?? []
  const taken = decodeClaims(lines)
  expect(taken).toHaveLength(4)
  const halves = Array.from({ length: 22 }, (_, half) => hour(49).from + (half * HOUR) / 2)
  for (const from of halves)
    for (const to of halves.filter((one) => one > from)) {
      const expected = taken.some((one) => one.from < to && from < one.to)
      expect([from, to, new EncodedOccupancy(lines).isTaken(from, to)]).toEqual([from, to, expected])
    }
})

test('[nothing is older than the question] a hold that has lapsed is nobody’s for who began before that and asks with others', async () => {
  const [time, lapses] = [hour(40), new Date(now.getTime() + 1000)]
  const held = { resources: ['staff_1'], time, holder: { kind: 'hold' as const, id: 'held' }, expiresAt: lapses }
  await whole.transaction().execute((tx) => claimTake(tx, held, now))
  const ask = async (at: Date) =>
    decodeClaims((await claimsWithin(whole, ['staff_1'], { from: time.from, to: time.to }, at)).get('staff_1') ?? [])
      .length
  expect(await ask(now)).toBe(1)
  expect(await Promise.all([ask(now), ask(lapses)])).toEqual([0, 0])
})

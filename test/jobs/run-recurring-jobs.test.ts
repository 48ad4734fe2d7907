import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { recurringTake } from '../../src/core/jobs/recurring-job-queries.ts'
import { type RecurringJob, runDue, startRecurring } from '../../src/core/jobs/run-recurring-jobs.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const db = openDatabase(await freshDatabase(), 4, () => {})
afterAll(() => db.destroy())
let now = new Date('2026-03-02T12:00:00Z')
const needs = { db, clock: () => now, clockFault: () => undefined, log: pino({ level: 'silent' }) }
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)

let ran: string[] = []
const job = (name: string, every = DAY): RecurringJob<object> => ({
  name,
  intervalMs: every,
  run: async () => ran.push(name),
})
const jobs = [job('first'), job('second', MINUTE), job('third')]
const leasesEnd = () => sql`update housekeeping set leased_until = now() where leased_until is not null`.execute(db)
beforeEach(async () => {
  ran = []
  await sql`delete from housekeeping`.execute(db)
})

test('they run in the order of the list, each when its time has come', async () => {
  await runDue(needs, jobs)
  await runDue(needs, jobs)
  expect(ran).toEqual(['first', 'second', 'third'])
  now = later(MINUTE)
  await runDue(needs, jobs)
  expect(ran).toEqual(['first', 'second', 'third', 'second'])
  now = later(DAY)
  await runDue(needs, jobs)
  expect(ran.slice(4)).toEqual(['first', 'second', 'third'])
})

test('what one server is at no other begins, and what it died over another does as soon as the lease has ended', async () => {
  expect(await recurringTake(db, jobs, now)).toBe('first')
  await runDue(needs, jobs)
  expect(ran).toEqual(['second', 'third'])
  await leasesEnd()
  await runDue(needs, jobs)
  expect(ran).toEqual(['second', 'third', 'first'])
})

test('one that takes long keeps its lease, and is not begun a second time', async () => {
  const long: RecurringJob<object> = {
    name: 'long',
    intervalMs: DAY,
    run: () => pass(7_000).then(() => ran.push('long')),
  }
  const running = runDue(needs, [long])
  await pass(6_000)
  expect(await recurringTake(db, [long], now)).toBeUndefined()
  await running
  await runDue(needs, [long])
  expect(ran).toEqual(['long'])
})

test('[no work outlasts its server] one that takes long is told that the server ends', async () => {
  const endless: RecurringJob<object> = {
    name: 'endless',
    intervalMs: DAY,
    async run(_needs, _now, isClosing) {
      ran.push('begun')
      while (!isClosing()) await pass(10)
      ran.push('ended')
    },
  }
  const running = startRecurring(needs, [endless])
  await vi.waitFor(() => expect(ran).toEqual(['begun']))
  await running.close()
  expect(ran).toEqual(['begun', 'ended'])
})

test('one that takes its server with it again and again waits for its usual time, and the others go on', async () => {
  const [deadly] = jobs
  for (let times = 0; times < 4; times++) {
    expect(await recurringTake(db, jobs, now), `time ${times + 1}`).toBe(deadly?.name)
    await leasesEnd()
  }
  await runDue(needs, jobs)
  expect(ran).toEqual(['second', 'third'])
  now = later(DAY)
  await runDue(needs, jobs)
  expect(ran).toEqual(['second', 'third', 'first', 'second', 'third'])
})

test('failures in a row are counted until it does well', async () => {
  let isBroken = true
  const failing: RecurringJob<object> = {
    name: 'failing',
    intervalMs: DAY,
    run: async () => {
      if (isBroken) throw new Error('broken')
    },
  }
  const row = () => db.selectFrom('housekeeping').selectAll().executeTakeFirstOrThrow()
  for (const failures of [1, 2]) {
    await runDue(needs, [failing])
    expect(await row()).toMatchObject({ failures, ran_at: null, leased_until: null, next_at: later(MINUTE) })
    now = later(MINUTE)
  }
  isBroken = false
  await runDue(needs, [failing])
  expect(await row()).toMatchObject({ failures: 0, ran_at: now, next_at: later(DAY) })
})

test.each([
  ['does what is due', undefined, ['first', 'second', 'third']],
  ['does nothing while its clock is wrong', 'an hour fast', []],
])('a server that starts %s', async (_, fault, expected) => {
  const running = startRecurring({ ...needs, clockFault: () => fault }, jobs)
  for (const until = Date.now() + 2_000; ran.length < expected.length && Date.now() < until; ) await pass(20)
  await running.close()
  expect(ran).toEqual(expected)
})

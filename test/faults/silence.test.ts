import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { failureOf } from '../../src/infra/db/database-failures.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

const silence = await openUnresponsivePostgres(await freshDatabase())
const server = await testServer(businessWith([service('svc_one')]), { databaseUrl: silence.url })
const isReady = async () => (await server.raw({ method: 'GET', url: '/readyz' })).status

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; answer: T }> {
  const begun = performance.now()
  const answer = await work()
  return { seconds: (performance.now() - begun) / 1000, answer }
}

test('[idle connections are kept] no new one is needed after a pause: its name might not be resolved', async () => {
  const db = openDatabase(silence.url, 3, () => {})
  const work = () => Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`.execute(db)))
  await work()
  const before = silence.tried()
  await setTimeout(11_000)
  await work()
  expect(silence.tried()).toBe(before)
  await db.destroy()
})

test('[a silent connection is given up] nobody waits for dead ones longer than five seconds, behind whomever they wait', async () => {
  const db = openDatabase(silence.url, 3, () => {})
  onTestFinished(() => db.destroy())
  const read = () => sql`select 1`.execute(db)
  const change = () => runUnitOfWork(db, (tx) => sql`select 1`.execute(tx))
  await Promise.all([read(), read(), read()])
  silence.begin('all')
  onTestFinished(() => silence.end())
  const told = await Promise.all(
    Array.from({ length: 80 }, async (_, nth) => {
      await setTimeout(nth * 100)
      return timed(() => (nth % 2 ? read() : change()).then(() => 'done', failureOf))
    }),
  )
  expect(told.filter(({ answer }) => answer !== 'unreachable' && answer !== 'busy')).toEqual([])
  expect(Math.max(...told.map(({ seconds }) => seconds))).toBeLessThan(5.5)
})

test('[a silent connection is given up] connections that died without a word are replaced, and readiness is told in time throughout', async () => {
  // All of the pool, idle.
  await Promise.all(Array.from({ length: 20 }, () => server.rest('POST', '/services/list', {})))
  const before = silence.tried()
  expect(before).toBeGreaterThan(2)
  silence.begin('all')
  const calls = Promise.all([
    timed(() => server.rest('GET', '/services/svc_one')),
    timed(() => server.tool('usp_services_get', { service_id: 'svc_one' })),
  ])
  const waited: number[] = []
  for (let count = 0; count < 5; count++) {
    const { seconds, answer } = await timed(isReady)
    expect(answer).toBe(503)
    waited.push(seconds)
    await setTimeout(1000)
  }
  // On a busy machine one may come late.
  expect(waited.filter((seconds) => seconds < 3).length).toBeGreaterThan(2)
  const [rest, tool] = await calls
  expect([rest.answer.status, rest.answer.body.code]).toEqual([503, 'service_unavailable'])
  expect(tool.answer.body.error).toMatchObject({ code: -32009, data: { code: 'service_unavailable' } })
  // Five, and some that a busy machine takes for the rest.
  expect(Math.max(rest.seconds, tool.seconds)).toBeLessThan(8)

  silence.end()
  const { seconds } = await timed(async () => {
    while ((await isReady()) !== 200) await setTimeout(200)
    expect((await server.rest('GET', '/services/svc_one')).status).toBe(200)
  })
  expect(seconds).toBeLessThan(27)
  expect(silence.tried()).toBeGreaterThan(before)
})

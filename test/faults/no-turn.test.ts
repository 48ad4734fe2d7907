import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { CONNECTIONS } from '../support/server.ts'

const shop = await testShop(businessWith([service('svc_one')]))
const desk = restDesk(shop)
const { db } = shop.runtime
const occupy = sql`select pg_sleep(8)`
/** Leaves one connection to whoever only reads. */
const takeTurns = () => Array.from({ length: CONNECTIONS - 1 }, () => runUnitOfWork(db, (tx) => occupy.execute(tx)))

test('[nobody waits twice] a change that had no turn in five seconds is told so, whoever has the connections then', async () => {
  const [slot] = await desk.slots('svc_one')
  const idempotencyKey = randomUUID()
  const book = () => desk.book(slot, {}, { idempotencyKey })
  const changes = takeTurns()
  const begun = performance.now()
  const told = book()
  await setTimeout(1_000)
  const read = occupy.execute(db)
  const { status, data } = await told
  expect([status, data.detail]).toEqual([503, 'Other calls are using all capacity. Try again.'])
  expect((performance.now() - begun) / 1_000).toBeLessThan(7)
  await Promise.all([...changes, read])
  expect((await book()).status).toBe(201)
})

test('[IDM-004] whoever comes with a key again, and has no turn, is given the first answer all the same', async () => {
  const [slot] = await desk.slots('svc_one')
  const idempotencyKey = randomUUID()
  const book = () => desk.book(slot, {}, { idempotencyKey })
  const first = await book()
  const changes = takeTurns()
  const again = await book()
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(again.data).toEqual(first.data)
  await Promise.all(changes)
})

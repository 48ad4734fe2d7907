import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inChange } from '../../src/db/in-change.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { CONNECTIONS } from '../support/server.ts'

test('[nobody waits twice] a change that had no turn in five seconds is told so, whoever has the connections then', async () => {
  const shop = await testShop(businessWith([service('svc_one')]))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_one')
  const idempotencyKey = randomUUID()
  const book = () => desk.book(slot, {}, { idempotencyKey })
  const occupy = sql`select pg_sleep(8)`
  const { db } = shop.runtime
  const changes = Array.from({ length: CONNECTIONS - 1 }, () => inChange(db, (tx) => occupy.execute(tx)))
  const begun = performance.now()
  const told = book()
  await setTimeout(1_000)
  const read = occupy.execute(db)
  expect((await told).status).toBe(503)
  expect((performance.now() - begun) / 1_000).toBeLessThan(7)
  await Promise.all([...changes, read])
  expect((await book()).status).toBe(201)
})

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import type { UnitOfWork } from '../../src/infra/db/unit-of-work.ts'
import { asProtocolError } from '../../src/protocol/errors.ts'
import { freshDatabase } from '../support/database.ts'

const url = await freshDatabase()
const db = openDatabase(url, 10, () => {})
afterAll(() => db.destroy())

/** Begins changes that each do the work and stay in it until they are let go. */
function stay(count: number, work: (tx: UnitOfWork) => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let inside = 0
  const all = Array.from({ length: count }, () =>
    runUnitOfWork(db, async (tx) => {
      await work(tx)
      inside++
      await promise
    }),
  )
  const letGo = async () => {
    resolve()
    await Promise.all(all)
  }
  return { letGo, inside: () => inside }
}
const ask = (tx: UnitOfWork) => sql`select 1`.execute(tx)

test('[reads never wait for changes] of ten connections changes have seven at most, and each has its turn', async () => {
  const changes = stay(20, ask)
  await expect.poll(changes.inside).toBe(7)
  await setTimeout(50)
  expect(changes.inside()).toBe(7)
  await sql`select 1`.execute(db)
  await changes.letGo()
  expect(changes.inside()).toBe(20)
})

test('[reads never wait for changes] who comes for one thing waits without a connection, and who comes for another does not', async () => {
  const some = stay(20, (tx) => tx.waitForSlot('one').then(() => ask(tx)))
  await expect.poll(some.inside).toBe(2)
  await runUnitOfWork(db, (tx) => tx.waitForSlot('other').then(() => ask(tx)))
  await runUnitOfWork(db, ask)
  expect(some.inside()).toBe(2)
  await some.letGo()
  expect(some.inside()).toBe(20)
})

test('[reads never wait for changes] a thing may be waited for twice, also once a connection is there', async () => {
  for (let round = 0; round < 5; round++)
    await runUnitOfWork(db, async (tx) => {
      for (let time = 0; time < 3; time++) await tx.waitForSlot('again')
      await ask(tx)
      await tx.waitForSlot('something else')
    })
})

test('[reads never wait for changes] a change whose turn does not come in time is told when to come again', async () => {
  const changes = stay(7, ask)
  await expect.poll(changes.inside).toBe(7)
  const error = await runUnitOfWork(db, ask).catch(asProtocolError)
  expect(error).toMatchObject({ code: 'service_unavailable', details: { retryAfter: 2 } })
  await changes.letGo()
  await runUnitOfWork(db, ask)
})

test('[reads never wait for changes] a change that fails ends its turn', async () => {
  for (let round = 0; round < 10; round++)
    await expect(runUnitOfWork(db, (tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow('division by zero')
  await runUnitOfWork(db, ask)
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Due, deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { attemptInsert } from '../../src/core/events/queries.ts'
import { renewLeases } from '../../src/core/jobs/row-lease.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { toldShop } from './told-shop.ts'

/** A shop with one event to tell, and servers that share the work of telling it. */
async function oneToTell() {
  const shop = await toldShop(businessWith([service('svc_a')]))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_a')
  const { booking } = (await desk.book(slot)).data
  await desk.cancel(booking.id)
  const { db } = shop.runtime
  const take = () => deliveriesLease(db, 10, shop.time.now)
  return {
    db,
    take,
    async taken(): Promise<Due> {
      const [due] = await take()
      if (!due) throw new Error('Nothing is to be told')
      return due
    },
    /** How many seconds its lease still runs, by the clock of the database. */
    async leasedFor(): Promise<number> {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from leased_until - clock_timestamp())::float8 as seconds from deliveries`.execute(db)
      return rows[0]?.seconds ?? Number.NaN
    },
    lease: (until: string) => sql`update deliveries set leased_until = now() + ${until}::interval`.execute(db),
    async ends(due: Due, status: 'delivered' | 'waiting' | 'given_up', problem?: string) {
      const attempt = { status: problem ? 500 : 200, problem, milliseconds: 1 }
      const next = new Date(shop.time.now.getTime() + 30_000)
      await attemptInsert(db, due, { ...attempt, outcome: { status, next } }, shop.time.now)
      return db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
    },
  }
}

test.each(['delivered', 'given_up'] as const)(
  '[EVT-040] [a settled delivery stays settled] an attempt that ends late does not put back what was %s',
  async (status) => {
    const { taken, lease, ends, take, db } = await oneToTell()
    const early = await taken()
    await lease('-1 second')
    const late = await taken()
    const settled = await ends(late, status, status === 'given_up' ? 'answered 500' : undefined)
    expect(settled).toMatchObject({ status, attempts: 1, leased_until: null })
    expect(settled.ended_at).not.toBeNull()
    expect(await ends(early, 'waiting', 'answered 500')).toEqual(settled)
    expect(await take()).toEqual([])
    // That it was made is known all the same.
    expect(await db.selectFrom('delivery_attempts').select('delivery_id').execute()).toHaveLength(2)
  },
)

test('[EVT-040] [an outcome is written until the database accepts it] a failure whose outcome is written twice is one attempt', async () => {
  const { taken, ends, db } = await oneToTell()
  const due = await taken()
  for (let time = 1; time <= 3; time++)
    expect(await ends(due, 'waiting', 'answered 500')).toMatchObject({ status: 'waiting', attempts: 1 })
  expect(await db.selectFrom('delivery_attempts').select('delivery_id').execute()).toHaveLength(1)
  expect(await db.selectFrom('receivers').select('failures').execute()).toEqual([{ failures: 1 }])
})

test('[a lease ends by itself] what a server took and left is due again seconds later, and to nobody before', async () => {
  const { take, taken, leasedFor, lease } = await oneToTell()
  const { starts } = await taken()
  expect(starts).toBe(1)
  const seconds = await leasedFor()
  expect(seconds).toBeGreaterThan(1)
  expect(seconds).toBeLessThanOrEqual(5)
  expect(await take()).toEqual([])
  await lease('1 minute')
  expect(await take()).toEqual([])
  await lease('-1 millisecond')
  expect((await taken()).starts).toBe(2)
  expect(await leasedFor()).toBeGreaterThan(1)
})

test('[a lease ends by itself] whoever still sends has its lease renewed, and only what it still has', async () => {
  const { db, taken, leasedFor, lease, ends } = await oneToTell()
  const due = await taken()
  await lease('1 second')
  await renewLeases(db, 'deliveries', [{ id: '0' }])
  expect(await leasedFor()).toBeLessThanOrEqual(1)
  await renewLeases(db, 'deliveries', [due])
  const seconds = await leasedFor()
  expect(seconds).toBeGreaterThan(1)
  expect(seconds).toBeLessThanOrEqual(5)
  await ends(due, 'waiting', 'answered 500')
  await renewLeases(db, 'deliveries', [due])
  expect(await leasedFor()).toBeNaN()
})

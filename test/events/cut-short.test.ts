import { expect, test } from 'vitest'
import { deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { soon, toldShop } from './told-shop.ts'

const shop = await toldShop(businessWith([service('svc_a')]))
const desk = restDesk(shop)
const { db } = shop.runtime

/** A server takes a due event and dies. Its lease ends. */
async function dieWhileSending() {
  const taken = await deliveriesLease(db, 10, shop.time.now)
  await db
    .updateTable('deliveries')
    .set({ leased_until: new Date(0) })
    .execute()
  return taken.length
}

async function cancelOne(): Promise<void> {
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
  await desk.cancel(id)
}

test('[a crash blames no event] an event is sent however many servers died over it, after waits of 15 seconds, doubled up to a day', async () => {
  await cancelOne()
  const waits: number[] = []
  for (let crash = 1; crash <= 20; crash++) {
    while ((await dieWhileSending()) === 0) {
      const { next_at } = await db.selectFrom('deliveries').select('next_at').executeTakeFirstOrThrow()
      waits.push((next_at.getTime() - shop.time.now.getTime()) / 1000)
      shop.time.now = next_at
    }
  }
  const doubled = Array.from({ length: 17 }, (_, index) => Math.min(86_400, 15 * 2 ** index))
  expect(waits).toEqual(doubled)
  expect(await shop.toldAfter(86_400)).toHaveLength(1)
  expect(await db.selectFrom('deliveries').select(['status', 'begun']).execute()).toEqual([
    { status: 'delivered', begun: 0 },
  ])
})

test('[a crash blames no event] an attempt with an end starts the count again', async () => {
  await cancelOne()
  for (let round = 1; round <= 3; round++) {
    for (let crash = 1; crash <= 2; crash++) await dieWhileSending()
    shop.receiver.answer = 503
    expect(await shop.toldAfter(1_000)).toHaveLength(1)
  }
  await dieWhileSending()
  shop.receiver.answer = 204
  expect(await shop.toldAfter(1_000)).toHaveLength(1)
})

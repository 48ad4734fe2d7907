import { expect, test } from 'vitest'
import { deliveriesTake } from '../../src/events/queries.ts'
import { businessWith, service } from '../support/definitions.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { soon, toldShop } from './told-shop.ts'

const shop = await toldShop(businessWith([service('svc_a')]))
const { db } = shop.runtime

/** A server takes what is due, and is gone before it has an answer; its lease runs out. */
async function endWhileSending() {
  const taken = await deliveriesTake(db, 10, shop.time.now)
  await db
    .updateTable('deliveries')
    .set({ leased_until: new Date(0) })
    .execute()
  return taken.length
}

test.each([restDesk(shop), mcpDesk(shop)])(
  '[an attempt is counted before it is sent] what ends the server each time is given up, over $binding',
  async (desk) => {
    const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
    await desk.cancel(id)
    for (let start = 1; start <= 3; start++) expect(await endWhileSending()).toBe(1)
    expect(await shop.told()).toEqual([])
    const [delivery] = (
      await desk.call('usp_business_deliveries_list', { subject: `booking ${id}` }, { as: shop.staff })
    ).data.deliveries
    expect(delivery).toMatchObject({ status: 'given_up', attempts: 1 })
    const get = { delivery_id: delivery.id }
    const { attempts } = (await desk.call('usp_business_deliveries_get', get, { as: shop.staff })).data
    expect(attempts).toMatchObject([{ problem: 'The server ended each time while this was being sent' }])
    await desk.call('usp_business_deliveries_replay', get, { as: shop.staff })
    expect(await shop.told()).toHaveLength(1)
  },
)

test('[an attempt is counted before it is sent] a server that ends by chance costs an event nothing', async () => {
  const desk = restDesk(shop)
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
  await desk.cancel(id)
  for (let round = 1; round <= 3; round++) {
    for (let start = 1; start <= 2; start++) await endWhileSending()
    shop.receiver.answer = 503
    expect(await shop.toldAfter(1_000)).toHaveLength(1)
  }
  await endWhileSending()
  shop.receiver.answer = 204
  expect(await shop.toldAfter(1_000)).toHaveLength(1)
})

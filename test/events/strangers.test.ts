import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { newcomer, restDesk, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { published } from '../support/sign.ts'
import { CLASS, classOfOne, person } from '../waitlist/queue.ts'
import { soon, toldShop } from './told-shop.ts'

const shop = await toldShop(businessWith([service('svc_cut'), classOfOne]))
const desk = restDesk(shop)
const receiver = await testReceiver()
const key = testKey('ES256')
const { url } = await testPlatform({ webhook_url: receiver.url, keys: [published('one', key)] })
const owner: Who = { key, profile: url }
const beside = () => newcomer(url, '203.0.113.1')

/** Books and cancels, which is told. */
async function canceled(as: Who): Promise<string> {
  const slots = await desk.slots('svc_cut', soon(shop))
  const { booking } = (await desk.book(slots[0], {}, { as })).data
  await desk.cancel(booking.id, {}, { as })
  return booking.id
}
const listed = async (id: string) =>
  (await desk.call('usp_business_deliveries_list', { subject: `booking ${id}` }, { as: shop.staff })).data.deliveries
const toldHere = async () => {
  receiver.received.length = 0
  await shop.told()
  return receiver.received.map(({ body }) => body.booking_id)
}

test('[a stranger beside published keys] is told of at the webhook of the profile it names, in a line of its own', async () => {
  const [theirs, own] = [await canceled(beside()), await canceled(owner)]
  expect((await listed(theirs))[0].receiver).toBe(`strangers of ${url}`)
  expect((await listed(own))[0].receiver).toBe(`profile ${url}`)
  expect((await toldHere()).sort()).toEqual([theirs, own].sort())
})

test('[a stranger beside published keys] costs the owner nothing: its failures rest its own line', async () => {
  receiver.answer = 500
  for (let failed = 0; failed < 12; failed++) {
    await canceled(beside())
    await shop.toldAfter(1)
  }
  receiver.answer = 204
  const rests = await shop.runtime.db.selectFrom('receivers').select(['receiver', 'failures']).execute()
  expect(rests.map(({ receiver: name }) => name)).toEqual([`strangers of ${url}`])
  const own = await canceled(owner)
  expect(await toldHere()).toContain(own)
})

test('[a stranger beside published keys] [410 ends it] is told of no more once the receiver says that this is gone', async () => {
  shop.minutesLater(24 * 60)
  await toldHere()
  receiver.answer = 410
  const last = await canceled(beside())
  expect(await toldHere()).toEqual([last])
  receiver.answer = 204
  const [theirs, own] = [await canceled(beside()), await canceled(owner)]
  expect(await toldHere()).toEqual([own])
  expect((await listed(theirs))[0].status).toBe('unwanted')
  expect(await toldHere()).toEqual([])
})

test.each([
  ['without keys', {}],
  ['with keys of a kind that is not used here', { keys: [{ kid: 'k1', kty: 'OKP', crv: 'X25519', x: 'AQAB' }] }],
])('a stranger under a profile %s is its platform as far as anybody knows', async (_, keys) => {
  const plain = await testPlatform({ webhook_url: receiver.url, ...keys })
  const id = await canceled(newcomer(plain.url, '203.0.113.1'))
  expect((await listed(id))[0].receiver).toBe(`profile ${plain.url}`)
})

test('[a stranger beside published keys] waits in line likewise', async () => {
  for (const slot of await desk.slots(CLASS)) await desk.book(slot)
  const join = (name: string, as = beside()) =>
    desk.call('usp_waitlist_join', { service_id: CLASS, buyer: person(name) }, { as })
  const first = beside()
  const { entry } = (await join('Ann', first)).data
  const { entry: second } = (await join('Bob')).data
  await desk.call('usp_waitlist_leave', { entry_id: entry.id }, { as: first })
  const { deliveries } = (
    await desk.call('usp_business_deliveries_list', { subject: `entry ${second.id}` }, { as: shop.staff })
  ).data
  expect(deliveries.map(({ receiver: name }: { receiver: string }) => name)).toEqual([`strangers of ${url}`])
})

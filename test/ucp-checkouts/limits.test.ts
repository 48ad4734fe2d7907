import { expect, test } from 'vitest'
import { free, spot, ucpDefinition, ucpShop } from './ucp-shop.ts'

const shop = await ucpShop(ucpDefinition([free, spot], { limits: { bookings: 4 } }))

const opened = async (email: string) => {
  const slot = (await shop.slotsOf('svc_free')).at(-1)
  const buyer = { first_name: 'A', last_name: 'B', email }
  return (await shop.create(slot, {}, { buyer })).body
}

test('the calls about one checkout do not use up the limit of the others of its platform', async () => {
  const [one, other] = [await opened('one@example.com'), await opened('other@example.com')]
  const read = async (id: string) => (await shop.get(id)).status
  for (let calls = 0; calls < 4; calls++) expect(await read(one.id)).toBe(200)
  expect(await read(one.id)).toBe(429)
  expect((await shop.complete(other.id)).body.status).toBe('completed')
  const { order } = (await shop.get(other.id)).body
  for (let calls = 0; calls < 4; calls++) expect((await shop.send('GET', `/orders/${order.id}`)).status).toBe(200)
  expect((await shop.send('GET', `/orders/${order.id}`)).status).toBe(429)
})

test('all calls of a platform about checkouts have a limit together, whatever ids it names', async () => {
  const narrow = await ucpShop(ucpDefinition([free], { limits: { messages: 5 } }))
  const statuses = []
  for (let calls = 0; calls < 6; calls++) statuses.push((await narrow.get(`chk_${calls}`)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

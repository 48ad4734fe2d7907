import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { shopDefinition } from './shop.ts'

const shop = await testShop(shopDefinition)
const desk = restDesk(shop)
const { bearer, profile } = shop.platform

const send = (payload: string, key: string) =>
  shop.inject({
    method: 'POST',
    url: '/usp/v1/bookings',
    headers: {
      'content-type': 'application/json',
      'usp-agent': `profile="${profile}"`,
      authorization: `Bearer ${bearer}`,
      'idempotency-key': key,
    },
    payload,
  })

test('[BKG-045] [BKG-050] the replay of a create is the first answer to the byte, however the request is spaced', async () => {
  const [slot] = await desk.slots('svc_free')
  const input = { service_id: slot.service_id, slot_id: slot.id, buyer, notes: 'Ä 🪡' }
  const key = randomUUID()
  const once = await send(JSON.stringify(input), key)
  expect(once.statusCode).toBe(201)
  for (const payload of [
    JSON.stringify(input),
    JSON.stringify(input, null, 2),
    JSON.stringify(input).replace('Ä', '\\u00c4'),
  ]) {
    const again = await send(payload, key)
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
    expect(again.rawPayload).toEqual(once.rawPayload)
  }
})

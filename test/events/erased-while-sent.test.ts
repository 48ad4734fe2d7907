import { expect, test } from 'vitest'
import { deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { sendEvent } from '../../src/core/events/send-event.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { soon, toldShop } from './told-shop.ts'

const shop = await toldShop(businessWith([service('svc_a')]))
const { db } = shop.runtime
const desk = restDesk(shop)
const secret = { first_name: 'Almafirst', last_name: 'Almalast', email: 'alma@secret.example' }

async function sendTaken(erase: (id: string) => Promise<unknown>, { alreadySent = false } = {}) {
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0], { buyer: secret })).data.booking
  await desk.cancel(id)
  if (alreadySent) {
    shop.receiver.answer = 503
    await shop.told()
    shop.receiver.answer = 204
  }
  shop.receiver.received.length = 0
  const [due] = await deliveriesLease(db, 1, new Date(shop.time.now.getTime() + 60_000))
  expect(JSON.stringify(due)).toContain('Almafirst')
  await erase(id)
  if (due) await (await sendEvent(shop.runtime, due))()
  return db.selectFrom('events').selectAll().where('subject', '=', `booking ${id}`).execute()
}

test.each([
  { when: 'before its first attempt', alreadySent: false },
  { when: 'before its second attempt', alreadySent: true },
])('[BKG-135] people erased while an event was taken, $when, are neither sent nor stored', async (one) => {
  const erase = (id: string) => desk.call('usp_business_bookings_erase', { booking_id: id }, { as: shop.staff })
  const stored = await sendTaken(erase, one)
  const [received] = shop.receiver.received
  expect(received?.body.data?.booking ?? received?.body).toBeDefined()
  expect(JSON.stringify([received?.body, stored])).not.toMatch(/Alma|alma@/)
})

test('an event that has changed since it was taken is sent as it is now, and its receivers get the same body', async () => {
  const stored = await sendTaken((id) =>
    db.updateTable('events').set({ traceparent: null }).where('subject', '=', `booking ${id}`).execute(),
  )
  expect(shop.receiver.received.map(({ body }) => body)).toEqual([stored[0]?.body])
})

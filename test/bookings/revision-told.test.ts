import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { shopDefinition } from './shop.ts'

const receiver = await testReceiver()
const { url } = await testPlatform({ webhook_url: receiver.url })
const shop = await testShop(shopDefinition)
const as = await shop.newPlatform(url)
const desk = restDesk(shop)

test('[REV-003] what is told of a booking carries the revision that it had then', async () => {
  const [slot, , , , later] = await desk.slots('svc_asked')
  const { id } = (await desk.book(slot, {}, { as })).data.booking
  const confirmed = (await desk.confirm(id)).data.booking
  await desk.update(id, { notes: 'Meanwhile' }, { as })
  const moved = (await desk.reschedule(id, later, {}, { as })).data.booking
  const canceled = (await desk.cancel(id, {}, { as })).data.booking
  await sendDueEvents(shop.runtime)
  expect(receiver.received.splice(0).map(({ body }) => [body.event, body.data.revision])).toEqual([
    ['booking.confirmed', confirmed.revision],
    ['booking.rescheduled', moved.revision],
    ['booking.canceled', canceled.revision],
  ])
})

test('[REV-003] so does what is told of an entry in a waiting line', async () => {
  const [slot] = await desk.slots('svc_queue')
  const { booking } = (await desk.book(slot, { party_size: 6 }, { as: shop.other })).data
  const join = { service_id: 'svc_queue', slot_id: slot.id, buyer }
  const { entry } = (await desk.call('usp_waitlist_join', join, { as })).data
  await desk.cancel(booking.id, {}, { as: shop.other })
  const offered = (await desk.call('usp_waitlist_get', { entry_id: entry.id }, { as })).data.entry
  expect(offered.status).toBe('offered')
  await sendDueEvents(shop.runtime)
  const told = receiver.received.splice(0).map(({ body }) => body)
  expect(told.map(({ data }) => [data.id, data.revision])).toEqual([[entry.id, offered.revision]])
  expect(offered.revision).not.toBe(entry.revision)
})

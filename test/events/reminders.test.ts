import { expect, test } from 'vitest'
import { remind } from '../../src/events/remind.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

const HOUR = 3_600_000

test.each([
  { definition: businessWith([service('svc_a')]), ahead: 24 },
  { definition: businessWith([service('svc_a')], { reminder: 'PT3H' }), ahead: 3 },
])(
  '[EVT-011] [EVT-020] $ahead hours ahead of the time it then has, a booking is reminded of once; a canceled one is not',
  async ({ definition, ahead }) => {
    const shop = await toldShop(definition)
    const desk = restDesk(shop)
    const slots = await desk.slots('svc_a')
    const book = async (slot: object) => (await desk.book(slot)).data.booking.id
    const [usual, moved, canceled] = [await book(slots[0]), await book(slots[4]), await book(slots[8])]
    await desk.cancel(canceled)
    await desk.reschedule(moved, slots.at(-1))
    await shop.told()
    const toldAt = async (start: string, hours: number) => {
      shop.time.now = new Date(Date.parse(start) - hours * HOUR)
      await remind(shop.runtime, shop.time.now)
      return (await shop.told()).map((body) => {
        expectValidEvent(body)
        return [body.booking_id, body.event, 'data' in body]
      })
    }
    expect(await toldAt(slots[0].start, ahead + 0.01)).toEqual([])
    expect(await toldAt(slots[0].start, ahead)).toEqual([[usual, 'booking.reminder', false]])
    expect(await toldAt(slots[0].start, ahead - 1)).toEqual([])
    expect(await toldAt(slots[4].start, ahead - 1)).toEqual([])
    expect(await toldAt(slots[8].start, ahead - 1)).toEqual([])
    expect(await toldAt(slots.at(-1).start, ahead)).toEqual([[moved, 'booking.reminder', false]])
  },
)

test('[EVT-020] a business that wants none sends none', async () => {
  const shop = await toldShop(businessWith([service('svc_a')], { reminder: 'PT0S' }))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_a')
  await desk.book(slot)
  shop.time.now = new Date(Date.parse(slot.start) - HOUR)
  await remind(shop.runtime, shop.time.now)
  expect(await shop.told()).toEqual([])
})

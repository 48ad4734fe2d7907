import { expect, test } from 'vitest'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { expectFault } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

const HOUR = 3_600_000

test.each([
  { definition: businessWith([service('svc_a')]), ahead: 24 },
  { definition: businessWith([service('svc_a')], { reminder: 'PT3H' }), ahead: 3 },
  { definition: businessWith([service('svc_a')], { reminder: [{ before: 'PT3H', by: 'text' }] }), ahead: 3 },
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

test.each(['PT0S', [], [{ before: 'PT0S', by: 'text' as const }]])(
  '[EVT-020] a business that wants none (%j) sends none',
  async (reminder) => {
    const shop = await toldShop(businessWith([service('svc_a')], { reminder }))
    const desk = restDesk(shop)
    const [slot] = await desk.slots('svc_a')
    await desk.book(slot)
    shop.time.now = new Date(Date.parse(slot.start) - HOUR)
    await remind(shop.runtime, shop.time.now)
    expect(await shop.told()).toEqual([])
  },
)

test.each([0, 1])(
  '[EVT-020] what began %i minutes ago is not reminded of, though nobody had looked before',
  async (minutes) => {
    const shop = await toldShop(businessWith([service('svc_a')]))
    const desk = restDesk(shop)
    const [slot] = await desk.slots('svc_a')
    await desk.book(slot)
    shop.time.now = new Date(Date.parse(slot.start) + minutes * 60_000)
    await remind(shop.runtime, shop.time.now)
    expect(await shop.told()).toEqual([])
  },
)

/** A business that reminds a day, six hours and one hour ahead. Times are hours before a booking begins. */
async function thrice() {
  const shop = await toldShop(businessWith([service('svc_a')], { reminder: ['PT1H', 'P1D', 'PT6H'] }))
  const desk = restDesk(shop)
  const slots = await desk.slots('svc_a')
  const at = (hours: number, { start } = slots[0]) => {
    shop.time.now = new Date(Date.parse(start) - hours * HOUR)
  }
  return {
    shop,
    desk,
    slots,
    at,
    /** Reminders that are told when the server looks now, and once more right after. */
    async looks(hours: number, slot = slots[0]) {
      at(hours, slot)
      await remind(shop.runtime, shop.time.now)
      await remind(shop.runtime, shop.time.now)
      return (await shop.told()).filter(({ event }) => event === 'booking.reminder').length
    },
  }
}
const seen = async (looks: (hours: number, slot?: object) => Promise<number>, hours: number[], slot?: object) => {
  const counts = []
  for (const one of hours) counts.push(await looks(one, slot))
  return counts
}

test('[EVT-020] of several times each is told once', async () => {
  const { desk, slots, looks } = await thrice()
  await desk.book(slots[0])
  expect(await seen(looks, [24.1, 24, 23, 6.1, 6, 2, 1, 0.5, 0])).toEqual([0, 1, 0, 0, 1, 0, 1, 0, 0])
})

test('[EVT-020] a server that was away tells the last that is due, not all of them', async () => {
  const { desk, slots, looks } = await thrice()
  await desk.book(slots[0])
  expect(await seen(looks, [4, 3, 1])).toEqual([1, 0, 1])
})

test('[EVT-020] what is booked late is reminded of what is still to come', async () => {
  const { desk, slots, looks, at } = await thrice()
  at(10)
  expect((await desk.book(slots[0])).data.booking.status).toBe('confirmed')
  expect(await seen(looks, [9, 6, 1])).toEqual([0, 1, 1])
})

test('[EVT-020] a booking that moves is reminded of its new time, of each once', async () => {
  const { desk, slots, looks, at } = await thrice()
  const { id } = (await desk.book(slots[0])).data.booking
  expect(await seen(looks, [24, 6])).toEqual([1, 1])
  const later = slots.find(({ start }) => Date.parse(start) >= Date.parse(slots[0].start) + 48 * HOUR)
  await desk.reschedule(id, later)
  expect(await seen(looks, [1, 0])).toEqual([0, 0])
  expect(await seen(looks, [24.1, 24, 23], later)).toEqual([0, 1, 0])
  // Moved to where the day before has passed already: who moves it knows.
  at(20, later)
  const near = slots.find(({ start }) => Date.parse(start) === Date.parse(later.start) - HOUR)
  await desk.reschedule(id, near)
  expect(await seen(looks, [18, 6, 1], near)).toEqual([0, 1, 1])
})

test('[EVT-020] a booking that is confirmed late is not reminded of what has passed', async () => {
  const manual = service('svc_a', { policies: { ...service('svc_a').policies, confirmation_mode: 'manual' } })
  const shop = await toldShop(businessWith([manual]))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_a')
  const to = (hours: number) => {
    shop.time.now = new Date(Date.parse(slot.start) - hours * HOUR)
  }
  to(25)
  const { id } = (await desk.book(slot)).data.booking
  to(20)
  await desk.confirm(id)
  await remind(shop.runtime, shop.time.now)
  expect((await shop.told()).map(({ event }) => event)).toEqual(['booking.confirmed'])
})

test('[reminders of a service] replace those of the business, each told once; 0 means none', async () => {
  const services = [
    service('svc_usual'),
    service('svc_twice', { reminder: ['P2D', 'PT3H'] }),
    service('svc_none', { reminder: 'PT0S' }),
    service('svc_empty', { reminder: [] }),
  ]
  const shop = await toldShop(businessWith(services, { reminder: 'PT6H' }))
  const desk = restDesk(shop)
  const start = Date.parse((await desk.slots('svc_usual')).at(-1).start)
  for (const { id } of services) {
    const slot = (await desk.slots(id)).find((one) => Date.parse(one.start) === start)
    expect((await desk.book(slot)).data.booking.status).toBe('confirmed')
  }
  await shop.told()
  const serviceOf = async ({ booking_id }: { booking_id: string }) =>
    (await desk.get(booking_id)).data.booking.service_id
  const toldAt = async (hours: number) => {
    shop.time.now = new Date(start - hours * HOUR)
    await remind(shop.runtime, shop.time.now)
    await remind(shop.runtime, shop.time.now)
    return Promise.all((await shop.told()).map(serviceOf))
  }
  const counts: Record<number, string[]> = {}
  for (const hours of [49, 48, 24, 6, 5, 3, 1]) counts[hours] = await toldAt(hours)
  expect(counts).toEqual({ 49: [], 48: ['svc_twice'], 24: [], 6: ['svc_usual'], 5: [], 3: ['svc_twice'], 1: [] })
})

test('[reminders of a service] are sent although the business wants none for the others', async () => {
  const services = [service('svc_usual'), service('svc_own', { reminder: 'PT3H' })]
  const shop = await toldShop(businessWith(services, { reminder: [] }))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_own')
  const { id } = (await desk.book(slot)).data.booking
  await desk.book((await desk.slots('svc_usual'))[0])
  shop.time.now = new Date(Date.parse(slot.start) - 3 * HOUR)
  await remind(shop.runtime, shop.time.now)
  expect((await shop.told()).map(({ event, booking_id }) => [event, booking_id])).toEqual([['booking.reminder', id]])
})

test('[several reminders by mail] each is mailed once, and none after a cancellation', async () => {
  const shop = await toldShop(businessWith([service('svc_a'), service('svc_b')], { reminder: ['PT48H', 'PT3H'] }))
  const desk = restDesk(shop)
  const book = async (id: string) => (await desk.book((await desk.slots(id)).at(-1))).data.booking
  const [kept, canceled] = [await book('svc_a'), await book('svc_b')]
  const mailsOf = async (id: string) => {
    const mails = shop.runtime.db.selectFrom('mails').select('id')
    const found = await mails.where('kind', '=', 'booking.reminder').where('subject', '=', `booking ${id}`).execute()
    return found.length
  }
  const counts: [number, number][] = []
  for (const hours of [48, 24, 3, 2, 1]) {
    shop.time.now = new Date(Date.parse(kept.slot.start) - hours * HOUR)
    for (let time = 0; time < 2; time++) await remind(shop.runtime, shop.time.now)
    if (hours === 24) await desk.cancel(canceled.id)
    counts.push([await mailsOf(kept.id), await mailsOf(canceled.id)])
  }
  expect(counts).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
    [2, 1],
    [2, 1],
  ])
})

test.each([
  [[{ by: 'text' }], 'reminder[0].before'],
  [[{ before: 'soon', by: 'text' }], 'reminder[0].before'],
  [['P1D', { before: 'PT2H', by: 'fax' }], 'reminder[1].by'],
  [[{ before: 'PT2H', channel: 'text' }], 'reminder[0].channel'],
  [[7], 'reminder[0]'],
  [{ before: 'PT2H', by: 'text' }, 'reminder'],
])('[channel of a reminder] %j is refused', (wrong, named) => {
  expectFault(businessWith([service('svc_a')], { reminder: 'P1D' }), 'reminder', wrong, named)
})

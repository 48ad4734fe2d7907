import { describe, expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, hours, on, type Timed } from './week.ts'

const withAnn: Partial<ServiceDefinition> = { resources: [{ type: 'staff', options: ['staff_ann'] }] }
const bike: Partial<ServiceDefinition> = { type: 'rental', resources: [{ type: 'equipment', options: ['bike'] }] }
const home = { type: 'at_buyer_location' } as const

const definition = businessWith(
  [
    service('svc_cut', withAnn),
    service('svc_color', { ...withAnn, duration: { fixed: 'PT90M', buffer_before: 'PT15M', buffer_after: 'PT30M' } }),
    service('svc_visit', { type: 'field_service', channel: home, travel_time: 'PT30M' }),
    service('svc_bike', { ...bike, duration: { range: { min: 'PT1H', max: 'PT4H', step: 'PT1H' } } }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4 },
      resources: [{ type: 'other', options: ['table_2', 'table_4'] }],
    }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 8 },
      sessions: [{ days: EVERY_DAY, starts: '10:00', resources: ['staff_zoe'] }],
    }),
    service('svc_zoe', { resources: [{ type: 'staff', options: ['staff_zoe'] }] }),
  ],
  {
    hours: daily('09:00', '16:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_zoe', type: 'staff', name: 'Zoe' },
      { id: 'bike', type: 'equipment', name: 'Bike' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

const days = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 10, 24 + index)).toISOString().slice(0, 10),
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const unused = days.values()
    const nextDay = () => on(unused.next().value ?? '')
    /** Two that never held anything. */
    const strangers = async () => ({ one: { as: await shop.newPlatform() }, other: { as: await shop.newPlatform() } })
    const find = (slots: (Timed & { duration?: string })[], time: string, length?: string) =>
      slots.find(({ start, duration }) => start.includes(`T${time}`) && (length === undefined || duration === length))

    test.each(['svc_cut', 'svc_visit', 'svc_bike'])(
      '[HLD-012] [HLD-021] a slot of %s has one hold, whoever asks for another',
      async (id) => {
        const { one, other } = await strangers()
        const [slot] = await desk.slots(id, nextDay())
        const first = await desk.hold(slot, {}, one)
        expect(first.data.hold.status).toBe('active')
        for (const ask of [one, other]) expect((await desk.hold(slot, {}, ask)).code).toBe('slot_unavailable')
        expect((await desk.release(first.data.hold.id, one)).data.hold.status).toBe('released')
        expect((await desk.hold(slot, {}, other)).data.hold.status).toBe('active')
      },
    )

    test('[HLD-014] [HLD-016] [HLD-017] holds of a class stand beside each other as long as there is room', async () => {
      const { one, other } = await strangers()
      const day = nextDay()
      const look = async () => (await desk.slots('svc_class', day))[0]?.capacity
      const [slot] = await desk.slots('svc_class', day)
      const first = await desk.hold(slot, { spots: 3 }, one)
      expect(await look()).toEqual({ total: 8, remaining: 5, held: 3 })
      const second = await desk.hold(slot, { spots: 4 }, other)
      expect(await look()).toEqual({ total: 8, remaining: 1, held: 7 })
      const third = await desk.hold(slot, {}, one)
      expect(await look()).toBeUndefined()
      await desk.release(second.data.hold.id, other)
      expect(await look()).toEqual({ total: 8, remaining: 4, held: 4 })
      for (const { data } of [first, third]) await desk.release(data.hold.id, one)
      expect(await look()).toEqual({ total: 8, remaining: 8, held: 0 })
    })

    test('[HLD-017] what lapses gives its places back as what is released does', async () => {
      const { one, other } = await strangers()
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', day)
      const { now } = shop.time
      await desk.hold(slot, { spots: 3 }, one)
      shop.minutesLater(5)
      await desk.hold(slot, { spots: 2 }, other)
      shop.minutesLater(5)
      expect((await desk.slots('svc_class', day))[0].capacity).toEqual({ total: 8, remaining: 6, held: 2 })
      shop.minutesLater(5)
      expect((await desk.slots('svc_class', day))[0].capacity).toEqual({ total: 8, remaining: 8, held: 0 })
      shop.time.now = now
    })

    test('[HLD-015] more places than are left are not held, and what was left is left', async () => {
      const { one, other } = await strangers()
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', day)
      await desk.book(slot, { party_size: 6 }, one)
      const said = await desk.hold(slot, { spots: 3 }, other)
      expect(said).toMatchObject({ status: 200, code: 'slot_unavailable' })
      expect(said.data).not.toHaveProperty('hold')
      expect((await desk.slots('svc_class', day))[0].capacity).toEqual({ total: 8, remaining: 2, held: 0 })
      expect((await desk.hold(slot, { spots: 2 }, other)).data.hold.spots).toBe(2)
    })

    test('[HLD-014] [HLD-015] tables are held one by one, each by a party that it seats', async () => {
      const { one, other } = await strangers()
      const [slot] = await desk.slots('svc_table', nextDay())
      expect((await desk.hold(slot, { spots: 5 }, one)).code).toBe('slot_unavailable')
      const large = await desk.hold(slot, { spots: 3 }, one)
      expect((await desk.hold(slot, { spots: 3 }, other)).code).toBe('slot_unavailable')
      const small = await desk.hold(slot, { spots: 2 }, other)
      expect([large.data.hold.spots, small.data.hold.spots]).toEqual([3, 2])
      expect((await desk.hold(slot, {}, one)).code).toBe('slot_unavailable')
    })

    describe.each(['hold', 'book'] as const)('after a %s', (way) => {
      test.each([
        ['10:00', 'PT60M', undefined],
        ['10:30', 'PT60M', 'slot_unavailable'],
        ['09:30', 'PT240M', 'slot_unavailable'],
        ['12:30', 'PT60M', 'slot_unavailable'],
        ['13:00', 'PT60M', undefined],
      ])('[HLD-019] from 11:00 to 13:00 the bike is refused from %s for %s by %s', async (time, length, code) => {
        const { one, other } = await strangers()
        const slots = await desk.slots('svc_bike', nextDay())
        await desk[way](find(slots, '11:00', 'PT120M'), {}, one)
        expect((await desk.hold(find(slots, time, length), {}, other)).code).toBe(code)
      })

      test.each([
        ['11:30', undefined],
        ['12:00', 'slot_unavailable'],
        ['12:30', 'slot_unavailable'],
        ['14:30', 'slot_unavailable'],
        ['15:00', undefined],
      ])('[HLD-020] of a color at 13:00, kept free around, a cut at %s is refused by %s', async (time, code) => {
        const { one, other } = await strangers()
        const day = nextDay()
        const cuts = await desk.slots('svc_cut', day)
        await desk[way](find(await desk.slots('svc_color', day), '13:00'), {}, one)
        expect((await desk.hold(find(cuts, time), {}, other)).code).toBe(code)
        expect((await desk.book(find(cuts, time), {}, { as: shop.platform })).code).toBe('slot_unavailable')
      })
    })

    test('[HLD-020] a private lesson never meets the class of its teacher', async () => {
      const lessons = hours(await desk.slots('svc_zoe', nextDay()))
      expect(lessons).toEqual([
        '09:00',
        '11:00',
        '11:30',
        '12:00',
        '12:30',
        '13:00',
        '13:30',
        '14:00',
        '14:30',
        '15:00',
      ])
    })
  },
)

import { describe, expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, testShop, WEEK } from '../support/desk.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { daily, EVERY_DAY, on } from './week.ts'

const WAITLIST = 'dev.usp-protocol.services.waitlist'

const classOf = (id: string, max: number, more = {}) =>
  service(id, { type: 'group', capacity: { max, ...more }, sessions: [{ days: EVERY_DAY, starts: '10:00' }] })

const tables = (id: string, more = {}) =>
  service(id, {
    type: 'reservation',
    capacity: { max: 6 },
    resources: [{ type: 'other', options: ['table_2', 'table_4'], ...more }],
  })

const definition = businessWith(
  [
    classOf('svc_twenty', 20),
    classOf('svc_class', 10),
    classOf('svc_four', 4),
    classOf('svc_three', 3),
    classOf('svc_queue', 2, { waitlist: true }),
    tables('svc_table'),
    service('svc_served', {
      type: 'reservation',
      capacity: { max: 6 },
      resources: [{ type: 'staff' }, { type: 'other', options: ['table_s'] }],
    }),
    { ...tables('svc_chosen', { selectable: true, options: ['table_x', 'table_y'] }) },
    {
      ...tables('svc_bar', { options: ['stool', 'bench'] }),
      capacity: { max: 6, waitlist: true },
    },
    service('svc_cut'),
    service('svc_bike', { type: 'rental' }),
    service('svc_visit', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
  ],
  {
    hours: daily('10:00', '11:00'),
    resources: [
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
      { id: 'table_s', type: 'table', name: 'Served table', seats: 3 },
      { id: 'table_x', type: 'table', name: 'Table x', seats: 2 },
      { id: 'table_y', type: 'table', name: 'Table y', seats: 6 },
      { id: 'stool', type: 'table', name: 'Stool', seats: 1 },
      { id: 'bench', type: 'table', name: 'Bench', seats: 2 },
      { id: 'waiter', type: 'staff', name: 'Waiter' },
    ],
  },
)

const days = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.UTC(2026, 10, 24 + index)).toISOString().slice(0, 10),
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const unused = days.values()
    /** One that no other test looks at. */
    const nextDay = () => unused.next().value ?? ''

    /** The state of the one class of the day after so many places were taken. */
    async function after(spots: number, serviceId: string) {
      const day = nextDay()
      const [slot] = await desk.slots(serviceId, on(day))
      if (spots > 0) await desk.book(slot, { party_size: spots })
      const [then] = await desk.slots(serviceId, on(day))
      return then
    }

    test.each(['svc_class', 'svc_table', 'svc_chosen'])('[AVL-025] slots of %s say how many fit', async (id) => {
      const [slot] = await desk.slots(id, on(nextDay()))
      for (const count of ['total', 'remaining', 'held']) expect(Number.isInteger(slot.capacity[count])).toBe(true)
    })

    test.each(['svc_cut', 'svc_bike', 'svc_visit'])('[AVL-026] slots of %s do not', async (id) => {
      const [slot] = await desk.slots(id, on(nextDay()))
      expect(slot).toMatchObject({ service_id: id })
      expect(slot).not.toHaveProperty('capacity')
    })

    test('[AVL-027] what is booked and what is held is gone from what remains', async () => {
      const day = nextDay()
      const look = async () => (await desk.slots('svc_class', on(day)))[0]
      const slot = await look()
      expect(slot.capacity).toEqual({ total: 10, remaining: 10, held: 0 })
      await desk.book(slot, { party_size: 3 })
      expect((await look()).capacity).toEqual({ total: 10, remaining: 7, held: 0 })
      const { data } = await desk.hold(slot, { spots: 2 })
      expect((await look()).capacity).toEqual({ total: 10, remaining: 5, held: 2 })
      await desk.release(data.hold.id)
      expect((await look()).capacity).toEqual({ total: 10, remaining: 7, held: 0 })
    })

    test.each([
      ['svc_twenty', 16, 'available'],
      ['svc_twenty', 17, 'limited'],
      ['svc_class', 0, 'available'],
      ['svc_class', 7, 'available'],
      ['svc_class', 8, 'limited'],
      ['svc_class', 9, 'limited'],
      ['svc_four', 1, 'available'],
      ['svc_four', 2, 'limited'],
      ['svc_four', 3, 'limited'],
      ['svc_three', 1, 'available'],
      ['svc_three', 2, 'available'],
    ])('[AVL-028] [AVL-029] %s with %i places taken is %3$s', async (id, spots, state) => {
      expect((await after(spots, id)).state).toBe(state)
    })

    test('[AVL-030] [LIV-056] a full slot of a service with a waitlist can be queued for, whatever the party', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_queue', on(day))
      await desk.book(slot, { party_size: 2 })
      for (const party_size of [1, 2, 9])
        expect(await desk.slots('svc_queue', { ...on(day), party_size })).toEqual([
          { ...slot, state: 'waitlist', capacity: { total: 2, remaining: 0, held: 0, waitlist: true } },
        ])
    })

    test('[AVL-030] [MCP-008] what is full is not said to be free', async () => {
      const [first, second] = [nextDay(), nextDay()]
      await desk.book((await desk.slots('svc_queue', on(first)))[0], { party_size: 2 })
      const query = { service_id: 'svc_queue', start_date: first, end_date: second }
      const { content } = (await shop.tool('usp_availability_query', query)).body.result
      expect(content[0].text).toMatch(
        new RegExp(
          `^One free time: ${second}\\S+ \\(\\S+\\)\\. One full time, to queue for: ${first}\\S+ \\(\\S+\\)\\.$`,
        ),
      )
    })

    test('[AVL-031] [PRO-087] a platform that knows no waitlists is told of none', async () => {
      const { usp } = platformProfile()
      const { [WAITLIST]: _, ...capabilities } = usp.capabilities
      const { url } = await testPlatform({ usp: { ...usp, capabilities } })
      const day = nextDay()
      const [slot] = await desk.slots('svc_queue', on(day))
      await desk.book(slot, { party_size: 2 })
      const query = { service_id: 'svc_queue', ...on(day) }
      const { data } = await desk.call('usp_availability_query', query, { as: { profile: url } })
      expect(data.slots).toEqual([])
      expect(data.messages).toMatchObject([{ code: 'no_availability' }])
    })

    test('[AVL-032] a full slot of a service without a waitlist is left out', async () => {
      expect(await after(3, 'svc_three')).toBeUndefined()
    })

    test.each([
      [1, true],
      [2, true],
      [3, false],
    ])('[AVL-037] with two places left a party of %i finds a place: %s', async (party_size, found) => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', on(day))
      await desk.book(slot, { party_size: 8 })
      expect(await desk.slots('svc_class', { ...on(day), party_size })).toHaveLength(found ? 1 : 0)
    })

    test('[AVL-037] without a size a party is of one', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_class', on(day))
      await desk.book(slot, { party_size: 9 })
      expect(await desk.slots('svc_class', on(day))).toHaveLength(1)
    })

    test('[AVL-025] [AVL-037] a party has the smallest table that seats it, and then that table is gone', async () => {
      await seat(desk, nextDay(), [
        [2, 'table_2', { total: 6, remaining: 4, held: 0 }],
        [1, 'table_4', undefined],
      ])
      await seat(desk, nextDay(), [
        [3, 'table_4', { total: 6, remaining: 2, held: 0 }],
        [3, undefined, { total: 6, remaining: 2, held: 0 }],
        [2, 'table_2', undefined],
      ])
    })

    test('[AVL-037] where one place is left two are told so, and where none is nobody is told of room', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_bar', on(day))
      expect((await desk.book(slot, { party_size: 2 })).data.booking.resources[0].id).toBe('bench')
      const { code, data } = await desk.book(slot, { party_size: 2 })
      expect([code, data.messages[0].content]).toEqual([
        'capacity_exceeded',
        'The party is too large: room for 1 is left in this slot.',
      ])
      expect((await desk.slots('svc_bar', on(day)))[0].capacity).toEqual({
        total: 3,
        remaining: 1,
        held: 0,
        waitlist: true,
      })
      expect((await desk.book(slot)).data.booking.resources[0].id).toBe('stool')
      expect((await desk.slots('svc_bar', on(day)))[0].state).toBe('waitlist')
      for (const party_size of [1, 2]) expect((await desk.book(slot, { party_size })).code).toBe('slot_unavailable')
    })

    test('[AVL-025] only what people sit at counts as seats', async () => {
      const day = nextDay()
      const [slot] = await desk.slots('svc_served', on(day))
      expect(slot.capacity).toEqual({ total: 3, remaining: 3, held: 0 })
      expect(await desk.slots('svc_served', { ...on(day), party_size: 4 })).toEqual([])
    })

    test('[AVL-025] [AVL-020] a table that is chosen counts its own seats', async () => {
      const day = nextDay()
      const slots = await desk.slots('svc_chosen', on(day))
      expect(slots.map(({ resources, capacity }) => [resources[0].id, capacity.total])).toEqual([
        ['table_x', 2],
        ['table_y', 6],
      ])
      const forFour = await desk.slots('svc_chosen', { ...on(day), party_size: 4 })
      expect(forFour.map(({ resources }) => resources[0].id)).toEqual(['table_y'])
      expect((await desk.book(slots[0], { party_size: 4 })).code).toBe('capacity_exceeded')
      expect((await desk.hold(slots[0], { spots: 4 })).code).toBe('slot_unavailable')
      expect((await desk.book(slots[0], { party_size: 2 })).data.booking.resources[0].id).toBe('table_x')
      expect((await desk.book(slots[1], { party_size: 6 })).data.booking.resources[0].id).toBe('table_y')
      expect(await desk.slots('svc_chosen', on(day))).toEqual([])
    })
  },
)

describe('without waitlists', async () => {
  const server = await testServer(definition, {
    operations: operations.filter(({ capability }) => capability !== WAITLIST),
  })

  test('[AVL-031] no slot is said to have one', async () => {
    expect((await server.rest('GET', '/.well-known/usp')).body.usp.capabilities).not.toHaveProperty([WAITLIST])
    await server.runtime.db.updateTable('sessions').set({ capacity: 0 }).execute()
    const { body } = await server.rest('POST', '/availability/query', { service_id: 'svc_queue', ...WEEK })
    expect(body.slots).toEqual([])
  })
})

async function seat(desk: Desk, day: string, parties: [number, string | undefined, unknown][]) {
  const [slot] = await desk.slots('svc_table', on(day))
  for (const [party_size, table, capacity] of parties) {
    const { code, data } = await desk.book(slot, { party_size })
    expect(table === undefined ? code : data.booking.resources[0].id).toBe(table ?? 'capacity_exceeded')
    expect((await desk.slots('svc_table', on(day)))[0]?.capacity).toEqual(capacity)
  }
}

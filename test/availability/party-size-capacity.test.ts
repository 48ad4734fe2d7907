import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { daily, hours, on, type Timed } from './week.ts'

const rooms = ['room_2', 'room_6']
const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann'] }] }),
    service('svc_braids', { resources: [{ type: 'staff', options: ['staff_ann'] }], capacity: { max: 3 } }),
    service('svc_lesson', {
      resources: [{ type: 'staff', options: ['staff_ann'] }],
      pricing: { model: 'per_person', amount: 2500, currency: 'USD' },
    }),
    service('svc_party', { resources: [{ type: 'room', options: rooms }], capacity: { max: 10 } }),
    service('svc_chosen', { resources: [{ type: 'room', selectable: true, options: rooms }] }),
    service('svc_trip', {
      resources: [
        { type: 'staff', options: ['staff_bob'] },
        { type: 'room', options: rooms },
      ],
    }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4 },
      resources: [{ type: 'other', options: ['table_plain', 'table_2'] }],
    }),
    service('svc_stools', { type: 'reservation', resources: [{ type: 'other', options: ['stool_a', 'stool_b'] }] }),
    service('svc_bike', { type: 'rental', resources: [{ type: 'equipment', options: ['bike'] }] }),
  ],
  {
    hours: daily('09:00', '12:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_bob', type: 'staff', name: 'Bob' },
      { id: 'room_2', type: 'room', name: 'Den', seats: 2 },
      { id: 'room_6', type: 'room', name: 'Parlour', seats: 6 },
      { id: 'table_plain', type: 'table', name: 'Table of no stated size' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'stool_a', type: 'table', name: 'Stool' },
      { id: 'stool_b', type: 'table', name: 'Other stool' },
      { id: 'bike', type: 'equipment', name: 'Bike' },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const ask = async (service_id: string, day: string, party_size: number) => {
      const input = { service_id, ...on(day), party_size }
      const { slots, messages = [] } = (await desk.call('usp_availability_query', input, { as: {} })).data
      return { slots, codes: messages.map(({ code }: { code: string }) => code) }
    }
    const bookedRoom = (booking: { resources: { id: string; type: string }[] }) =>
      booking.resources.find(({ type }) => type === 'room')?.id

    test.each([
      ['svc_cut', 50, 'party_too_large', 'It is for at most one person.'],
      ['svc_cut', 2, 'party_too_large', 'It is for at most one person.'],
      ['svc_braids', 4, 'party_too_large', 'It is for at most 3 people.'],
      ['svc_trip', 7, 'no_availability', 'It is for at most 6 people.'],
      ['svc_table', 5, 'no_availability', 'It is for at most 4 people.'],
      ['svc_stools', 2, 'no_availability', 'It is for at most one person.'],
    ])(
      '[a party is measured against who and what takes it] %s for %i is told and refused',
      async (id, party, told, said) => {
        const [slot] = await desk.slots(id, on('2026-11-24'))
        expect((await ask(id, '2026-11-24', party)).codes).toEqual([told])
        const { code, data } = await desk.book(slot, { party_size: party })
        expect([code, data.messages[0].content, data.messages[0].path]).toEqual([
          'capacity_exceeded',
          said,
          '$.party_size',
        ])
        const held = await desk.hold(slot, { spots: party })
        expect([held.code, held.data.messages[0].path]).toEqual(['slot_unavailable', '$.spots'])
      },
    )

    test.each([
      ['svc_cut', 1],
      ['svc_braids', 3],
      ['svc_lesson', 4],
    ])('[a party is measured against who and what takes it] %s for %i is booked', async (id, party_size) => {
      const day = `2026-11-2${party_size + 5}`
      const [slot] = (await ask(id, day, party_size)).slots
      expect((await desk.book(slot, { party_size })).data.booking.party_size).toBe(party_size)
    })

    test('[a party is measured against who and what takes it] where nothing says how many, that is told', async () => {
      expect((await ask('svc_bike', '2026-11-24', 4)).codes).toEqual(['party_unchecked'])
      expect((await ask('svc_bike', '2026-11-24', 1)).codes).toEqual([])
      const [slot] = (await ask('svc_bike', '2026-11-24', 4)).slots
      expect((await desk.book(slot, { party_size: 4 })).code).toBeUndefined()
    })

    test('[a party is measured against who and what takes it] it gets a room that is large enough, or none', async () => {
      const [slot] = (await ask('svc_party', '2026-11-25', 4)).slots
      const first = (await desk.book(slot, { party_size: 4 })).data.booking
      expect(bookedRoom(first)).toBe('room_6')
      const again = await ask('svc_party', '2026-11-25', 4)
      expect(hours(again.slots)).not.toContain('09:00')
      const refused = await desk.book(slot, { party_size: 3 })
      expect([refused.code, refused.data.messages[0].content]).toEqual([
        'capacity_exceeded',
        'The party is too large: room for 2 is left in this slot.',
      ])
      expect(bookedRoom((await desk.book(slot, { party_size: 2 })).data.booking)).toBe('room_2')
    })

    test('[a party is measured against who and what takes it] a table without seats takes as many as the service does at most, or one', async () => {
      const at = async (id: string, party: number) => (await ask(id, '2026-11-27', party)).slots[0]
      const tableOf = async (slot: Timed, party_size: number) =>
        (await desk.book(slot, { party_size })).data.booking.resources.map(({ id }: { id: string }) => id)
      const first = await at('svc_table', 4)
      expect(first.capacity).toEqual({ total: 6, remaining: 6, held: 0 })
      expect(await tableOf(first, 3)).toEqual(['table_plain'])
      expect((await desk.book(first, { party_size: 3 })).data.messages[0]).toMatchObject({
        code: 'capacity_exceeded',
        content: 'The party is too large: room for 2 is left in this slot.',
      })
      expect((await at('svc_table', 1)).capacity).toEqual({ total: 6, remaining: 2, held: 0 })
      expect(await tableOf(first, 2)).toEqual(['table_2'])

      const stool = await at('svc_stools', 1)
      expect(stool.capacity).toEqual({ total: 2, remaining: 2, held: 0 })
      await tableOf(stool, 1)
      expect((await at('svc_stools', 1)).capacity).toEqual({ total: 2, remaining: 1, held: 0 })
    })

    test('[a party is measured against who and what takes it] a room that is chosen must be large enough', async () => {
      const rooms = ({ slots }: { slots: Timed[] }) => new Set(slots.map(({ resources }) => resources?.[0]?.id))
      expect(rooms(await ask('svc_chosen', '2026-11-26', 3))).toEqual(new Set(['room_6']))
      const { slots } = await ask('svc_chosen', '2026-11-26', 1)
      const small = slots.find(({ resources }: Timed) => resources?.[0]?.id === 'room_2')
      expect((await desk.book(small, { party_size: 3 })).code).toBe('capacity_exceeded')
      const other = slots.find(({ start, resources }: Timed) => start > small.end && resources?.[0]?.id === 'room_2')
      expect((await desk.book(other, { party_size: 2 })).data.booking.party_size).toBe(2)
      const { hold } = (await desk.hold(small)).data
      expect((await desk.book(small, { party_size: 3, hold_id: hold.id })).code).toBe('capacity_exceeded')
      expect((await desk.book(small, { party_size: 1, hold_id: hold.id })).code).toBeUndefined()
    })

    test('[a party is measured against who and what takes it] what is held for more is exchanged for fewer', async () => {
      const [slot] = (await ask('svc_party', '2026-11-28', 5)).slots
      const { hold } = (await desk.hold(slot, { spots: 5 })).data
      const { booking } = (await desk.book(slot, { party_size: 2, hold_id: hold.id })).data
      expect(bookedRoom(booking)).toBe('room_2')
    })

    test('[a party is measured against who and what takes it] a booking moves to where there is room for it', async () => {
      const day = '2026-11-29'
      const [one] = (await ask('svc_chosen', day, 4)).slots
      const { booking } = (await desk.book(one, { party_size: 4 })).data
      const other = (await ask('svc_chosen', day, 1)).slots.find(
        ({ start, resources }: Timed) => start > one.end && resources?.[0]?.id === 'room_2',
      )
      expect((await desk.reschedule(booking.id, other)).code).toBe('capacity_exceeded')
      expect((await desk.get(booking.id)).data.booking.slot.id).toBe(one.id)
    })

    test('[a party is measured against who and what takes it] the staff may set it aside, and it stays written', async () => {
      const [slot] = await desk.slots('svc_cut', on('2026-11-30'))
      const wish = { service_id: 'svc_cut', slot_id: slot.id, buyer: { first_name: 'Jo' }, party_size: 2 }
      const ask = (more: object) => desk.call('usp_business_bookings_create', { ...wish, ...more }, { as: shop.staff })
      expect((await ask({})).code).toBe('capacity_exceeded')
      expect((await ask({ override: ['capacity'] })).data.booking.party_size).toBe(2)
    })
  },
)

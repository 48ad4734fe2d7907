import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, hours, idsOf, on, type Timed, who } from './week.ts'

const staff = ['staff_ann', 'staff_ben', 'staff_cem']
const anybody = { type: 'staff', selectable: true, options: staff } as const

const definition = businessWith(
  [
    service('svc_cut', { resources: [anybody] }),
    service('svc_massage', {
      resources: [
        { type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] },
        { type: 'room', options: ['room_1', 'room_2'] },
      ],
    }),
    service('svc_lesson', {
      resources: [
        { type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] },
        { type: 'equipment', selectable: true, options: ['piano', 'harp'] },
      ],
    }),
    service('svc_pair', { resources: [anybody, { ...anybody, options: ['staff_ben', 'staff_cem'] }] }),
    service('svc_duo', {
      type: 'group',
      capacity: { max: 4 },
      sessions: [{ days: EVERY_DAY, starts: '09:00', resources: ['staff_dee', 'staff_eli'] }],
    }),
    service('svc_court', { resources: [{ type: 'other' }] }),
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: [
      ...[...staff, 'staff_dee', 'staff_eli'].map((id) => ({ id, type: 'staff', name: `Mx ${id}` }) as const),
      { id: 'room_1', type: 'room', name: 'Room 1' },
      { id: 'room_2', type: 'room', name: 'Room 2' },
      { id: 'piano', type: 'equipment', name: 'Piano' },
      { id: 'harp', type: 'equipment', name: 'Harp' },
      { id: 'court', type: 'other', name: 'Court' },
      { id: 'bench', type: 'table', name: 'Bench' },
    ],
  },
)

const slotsAt = async (desk: Desk, serviceId: string, day: string, time: string): Promise<Timed[]> =>
  (await desk.slots(serviceId, on(day))).filter(({ start }) => start.slice(11, 16) === time)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test('of what is assigned the one that is used least that day is taken', async () => {
      const rooms: string[] = []
      for (const [time, person] of [
        ['10:00', 'staff_ann'],
        ['09:00', 'staff_ann'],
        ['09:00', 'staff_ben'],
        ['10:00', 'staff_ben'],
      ]) {
        const slots = await slotsAt(desk, 'svc_massage', '2026-12-08', time ?? '')
        const slot = slots.find(({ resources }) => resources?.some(({ id }) => id === person))
        const { booking } = (await desk.book(slot)).data
        const { rows } = await sql<{ room: string }>`select resource_id as room from claims
          where holder_id = ${booking.id} and resource_id like 'room_%'`.execute(shop.runtime.db)
        rooms.push(...rows.map(({ room }) => room))
      }
      expect(rooms).toEqual(['room_1', 'room_2', 'room_1', 'room_2'])
    })

    test('[AVL-020] [AVL-022] a slot for each of those who may be chosen, and each names one of them', async () => {
      const slots = await slotsAt(desk, 'svc_cut', '2026-11-24', '09:30')
      expect(slots.map(({ resources }) => resources)).toEqual(
        staff.map((id) => [{ id, type: 'staff', name: `Mx ${id}` }]),
      )
      expect(new Set(idsOf(slots)).size).toBe(3)
    })

    test('[AVL-020] where two things may be chosen each pair is a slot', async () => {
      const slots = await slotsAt(desk, 'svc_lesson', '2026-11-24', '09:00')
      const pairs = slots.map(({ resources }) => resources?.map(({ id }) => id).join(' and '))
      expect(pairs.sort()).toEqual([
        'staff_ann and harp',
        'staff_ann and piano',
        'staff_ben and harp',
        'staff_ben and piano',
      ])
    })

    test('[AVL-020] [AVL-021] nobody is chosen beside themselves, and each slot can be booked', async () => {
      const slots = await slotsAt(desk, 'svc_pair', '2026-11-24', '10:00')
      expect(slots).toHaveLength(4)
      for (const { resources } of slots) expect(resources).toHaveLength(1)
      for (const slot of slots) {
        const { data } = await desk.book(slot)
        expect(data.booking?.slot.id).toBe(slot.id)
        await desk.cancel(data.booking.id)
      }
    })

    test('[AVL-021] a booking has the resources its slot named, and one of a type', async () => {
      for (const [id, day] of [
        ['svc_cut', '2026-11-25'],
        ['svc_massage', '2026-11-29'],
        ['svc_lesson', '2026-11-30'],
      ] as const) {
        const [slot] = await slotsAt(desk, id, day, '09:00')
        const booked: { id: string; type: string }[] = (await desk.book(slot)).data.booking.resources
        expect(booked.map((one) => one.id)).toEqual(expect.arrayContaining(slot?.resources?.map((one) => one.id) ?? []))
        for (const resources of [slot?.resources ?? [], booked])
          expect(new Set(resources.map(({ type }) => type)).size).toBe(resources.length)
      }
    })

    test('[BKG-021] a booking names each person whom it takes, also two of one type', async () => {
      const [slot] = await slotsAt(desk, 'svc_pair', '2026-12-01', '09:00')
      const { booking } = (await desk.book(slot)).data
      const { rows } = await sql<{ id: string }>`
        select resource_id as id from claims where holder_id = ${booking.id}`.execute(shop.runtime.db)
      expect(rows).toHaveLength(2)
      expect(idsOf(booking.resources).sort()).toEqual(idsOf(rows).sort())
      const read = await desk.call('usp_business_bookings_get', { booking_id: booking.id }, { as: shop.staff })
      expect(idsOf(read.data.booking.resources).sort()).toEqual(idsOf(rows).sort())
      const moved = await desk.reschedule(booking.id, (await slotsAt(desk, 'svc_pair', '2026-12-01', '10:00'))[0])
      expect(moved.data.booking.resources).toHaveLength(2)
    })

    test('[BKG-021] [AVL-021] a booking of a class names both of its teachers; the slot names one of a type', async () => {
      const [slot] = await slotsAt(desk, 'svc_duo', '2026-11-24', '09:00')
      expect(slot?.resources).toHaveLength(1)
      const { booking } = (await desk.book(slot)).data
      expect(idsOf(booking.resources)).toEqual(['staff_dee', 'staff_eli'])
    })

    test('[AVL-023] a slot is offered while any room is free, and each booking has a room of its own', async () => {
      const [first, second] = await slotsAt(desk, 'svc_massage', '2026-11-26', '09:00')
      const rooms: string[] = []
      for (const slot of [first, second]) {
        expect(await slotsAt(desk, 'svc_massage', '2026-11-26', '09:00')).toContainEqual(slot)
        const { data } = await desk.book(slot)
        rooms.push(data.booking.resources.find(({ type }: { type: string }) => type === 'room').id)
      }
      expect(rooms.sort()).toEqual(['room_1', 'room_2'])
      expect(hours(await desk.slots('svc_massage', on('2026-11-26')))).toEqual(['10:00', '10:00'])
    })

    test('[AVL-023] what names no options takes anything of its type, a table for another thing too', async () => {
      const taken: string[] = []
      for (;;) {
        const [slot] = await slotsAt(desk, 'svc_court', '2026-11-26', '09:00')
        if (!slot) break
        taken.push((await desk.book(slot)).data.booking.resources[0].id)
      }
      expect(taken.sort()).toEqual(['bench', 'court'])
    })

    test('[AVL-033] with a resource only slots that name it', async () => {
      const all = await desk.slots('svc_cut', on('2026-11-27'))
      const hers = await desk.slots('svc_cut', { ...on('2026-11-27'), resource_id: 'staff_ben' })
      expect(hers).toEqual(all.filter((slot) => who(slot) === 'staff_ben'))
      expect(hours(hers)).toEqual(['09:00', '09:30', '10:00'])
      const harp = await desk.slots('svc_lesson', { ...on('2026-11-27'), resource_id: 'harp' })
      expect(harp.map(({ resources }) => resources[1].id)).toEqual(Array(6).fill('harp'))
    })

    test.each([{ resource_id: 'staff_nobody' }, { resource_id: 'room_1' }, { location_id: 'loc_moon' }])(
      '[AVL-034] nothing is found of %j, and nothing is wrong',
      async (filter) => {
        const { status, data } = await desk.call('usp_availability_query', {
          service_id: 'svc_cut',
          ...on('2026-11-27'),
          ...filter,
        })
        expect(status).toBe(200)
        expect(data.slots).toEqual([])
        expect(data.messages.map(({ type }: { type: string }) => type)).not.toContain('error')
      },
    )
  },
)

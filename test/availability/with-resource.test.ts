import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, hours, idsOf, on, type Timed } from './week.ts'

const staff = ['staff_ann', 'staff_ben', 'staff_cem']
const tables = ['table_2', 'table_4']

/** Who comes to some of these chooses with whom; to others the business sends whoever is free. */
const definition = businessWith(
  [
    service('svc_chosen', { resources: [{ type: 'staff', selectable: true, options: staff }] }),
    service('svc_assigned', { resources: [{ type: 'staff', options: staff }] }),
    service('svc_mixed', {
      resources: [
        { type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] },
        { type: 'room', options: ['room_1', 'room_2'] },
      ],
    }),
    service('svc_two', {
      resources: [
        { type: 'staff', options: ['staff_ann', 'staff_ben'] },
        { type: 'staff', options: ['staff_ben'] },
      ],
    }),
    service('svc_either', {
      resources: [
        { type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] },
        { type: 'staff', options: ['staff_ben', 'staff_cem'] },
      ],
    }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 4 },
      sessions: [
        { days: EVERY_DAY, starts: '09:00', resources: ['staff_dee', 'hall'] },
        { days: EVERY_DAY, starts: '10:00', resources: ['staff_eve'] },
      ],
    }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4, waitlist: true },
      resources: [{ type: 'other', options: tables }],
    }),
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: [
      ...[...staff, 'staff_dee', 'staff_eve'].map((id) => ({ id, type: 'staff', name: `Mx ${id}` }) as const),
      { id: 'room_1', type: 'room', name: 'Room 1' },
      { id: 'hall', type: 'room', name: 'Hall' },
      { id: 'room_2', type: 'room', name: 'Room 2' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

const withWhom = (slots: Timed[]) => slots.map(({ resources = [] }) => resources.map(({ id }) => id).join())

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const ask = async (service_id: string, day: string, more: Record<string, unknown>) =>
      (await desk.call('usp_availability_query', { service_id, ...on(day), ...more }, { as: {} })).data
    const block = (resource_id: string, day: string, from: string, to: string) =>
      desk.call(
        'usp_business_blocks_create',
        { resource_id, start: `${day}T${from}:00-05:00`, end: `${day}T${to}:00-05:00` },
        { as: shop.staff },
      )

    test.each([
      ['svc_chosen', 'staff_ann', undefined],
      ['svc_mixed', 'staff_ann', undefined],
      ['svc_mixed', 'room_1', 'resource_assigned'],
      ['svc_assigned', 'staff_ann', 'resource_assigned'],
      ['svc_class', 'staff_eve', undefined],
    ])(
      '[AVL-033] whoever is assigned is said to be, and whoever is chosen is not: of %s with %s %s',
      async (id, resource_id, code) => {
        const { slots, messages = [] } = await ask(id, '2026-12-15', { resource_id })
        expect(slots.length).toBeGreaterThan(0)
        expect(messages.map((one: { code: string }) => one.code)).toEqual(code ? [code] : [])
      },
    )

    test('[AVL-033] every slot is with who was asked for, on every page, and those of others are dropped', async () => {
      const all = await desk.slots('svc_chosen', on('2026-11-24'))
      expect(new Set(withWhom(all))).toEqual(new Set(staff))
      const found: Timed[] = []
      for (let cursor: string | null = null, pages = 0; pages === 0 || cursor; pages++) {
        const { slots, pagination } = await ask('svc_chosen', '2026-11-24', {
          resource_id: 'staff_cem',
          limit: 1,
          cursor,
        })
        found.push(...slots)
        cursor = pagination.cursor
      }
      expect(withWhom(found)).toEqual(Array(3).fill('staff_cem'))
      expect(found).toEqual(all.filter(({ resources }: Timed) => resources?.[0]?.id === 'staff_cem'))
    })

    test('[AVL-033] who may be chosen for one thing and assigned for another is there as either', async () => {
      const { slots } = await ask('svc_either', '2026-11-24', { resource_id: 'staff_ben' })
      expect(new Set(withWhom(slots))).toEqual(new Set(['staff_ann', 'staff_ben']))
      expect(slots).toEqual(await desk.slots('svc_either', on('2026-11-24')))
    })

    test('[AVL-033] who is taken then is not offered, though others are free', async () => {
      await block('staff_ann', '2026-11-25', '09:00', '09:30')
      expect(hours((await ask('svc_chosen', '2026-11-25', { resource_id: 'staff_ann' })).slots)).toEqual([
        '09:30',
        '10:00',
      ])
      expect(hours((await ask('svc_chosen', '2026-11-25', { resource_id: 'staff_ben' })).slots)).toHaveLength(3)
    })

    test('[AVL-033] a class is of those who hold it', async () => {
      for (const [id, hour] of [
        ['staff_eve', '10:00'],
        ['hall', '09:00'],
      ])
        expect(hours((await ask('svc_class', '2026-11-26', { resource_id: id })).slots)).toEqual([hour])
    })

    test('[AVL-033] of somebody whom the business assigns the times at which that one is free, and so it is told', async () => {
      const day = '2026-11-27'
      const everybodys = await desk.slots('svc_assigned', on(day))
      const first = await ask('svc_assigned', day, { resource_id: 'staff_ben' })
      expect(first.slots).toEqual(everybodys)
      expect(first.messages).toEqual([
        { type: 'info', code: 'resource_assigned', content: expect.stringContaining('staff_ben') },
      ])
      await block('staff_ben', day, '09:00', '09:45')
      const later = await ask('svc_assigned', day, { resource_id: 'staff_ben' })
      expect(hours(later.slots)).toEqual(['10:00'])
      expect(idsOf(await desk.slots('svc_assigned', on(day)))).toEqual(idsOf(everybodys))
    })

    test('[AVL-033] beside somebody who is chosen a room that is assigned narrows as well', async () => {
      const day = '2026-11-28'
      await block('room_2', day, '09:30', '11:00')
      expect(hours((await ask('svc_mixed', day, { resource_id: 'room_1' })).slots)).toHaveLength(6)
      expect((await ask('svc_mixed', day, { resource_id: 'room_2' })).slots).toEqual([])
    })

    test('[AVL-033] whoever is needed elsewhere in the same slot is not free for it', async () => {
      const day = '2026-11-29'
      expect((await ask('svc_two', day, { resource_id: 'staff_ann' })).slots).toHaveLength(3)
      await block('staff_ann', day, '09:00', '11:00')
      expect((await ask('svc_two', day, { resource_id: 'staff_ben' })).slots).toEqual([])
    })

    test('[AVL-033] a table that is too small for the party or taken is not offered, and full times still are for the waitlist', async () => {
      const day = '2026-11-30'
      const of = async (resource_id: string, more = {}) =>
        (await ask('svc_table', day, { resource_id, ...more })).slots.map(
          ({ start, state }: { start: string; state: string }) => `${start.slice(11, 16)} ${state}`,
        )
      expect(await of('table_2', { party_size: 3 })).toEqual([])
      await block('table_4', day, '09:00', '10:00')
      expect(await of('table_4')).toEqual(['10:00 available'])
      await block('table_2', day, '09:00', '10:00')
      expect(await of('table_4')).toEqual(['09:00 waitlist', '09:30 waitlist', '10:00 available'])
    })

    test.each(['staff_nobody', 'table_2'])('[AVL-034] %s has nothing to do with the service', async (resource_id) => {
      const { slots, messages } = await ask('svc_assigned', '2026-11-27', { resource_id })
      expect([slots, messages[0].content]).toEqual([[], 'This person or thing does not belong to this service.'])
    })

    test('[nobody chooses whom the business assigns] booking with that one by name is refused', async () => {
      const [slot] = await desk.slots('svc_assigned', on('2026-11-24'))
      const refused = await desk.book(slot, { resource_id: 'staff_ben' })
      expectProblem(refused, 'validation_error', 'resource_id')
      expect(refused.data.errors[0].message).toMatch(/assigns/)
    })
  },
)

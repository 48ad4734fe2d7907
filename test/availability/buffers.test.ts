import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { daily, hours, on } from './week.ts'

const withAnn: Partial<ServiceDefinition> = { resources: [{ type: 'staff', options: ['staff_ann'] }] }
const home = { type: 'at_buyer_location' } as const

const definition = businessWith(
  [
    service('svc_plain', withAnn),
    service('svc_before', { ...withAnn, duration: { fixed: 'PT60M', buffer_before: 'PT20M' } }),
    service('svc_after', { ...withAnn, duration: { fixed: 'PT60M', buffer_after: 'PT20M' } }),
    service('svc_around', {
      ...withAnn,
      duration: { fixed: 'PT60M', buffer_before: 'PT30M', buffer_after: 'PT30M' },
    }),
    service('svc_visit', { ...withAnn, type: 'field_service', channel: home, travel_time: 'PT30M' }),
    service('svc_visit_buffered', {
      ...withAnn,
      type: 'field_service',
      channel: home,
      travel_time: 'PT30M',
      duration: { fixed: 'PT60M', buffer_after: 'PT30M' },
    }),
  ],
  { hours: daily('09:00', '16:00'), resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann' }] },
)

const [LONG, FAR] = ['PT2H30M', 'PT3H']
const farDefinition = businessWith(
  [
    service('svc_plain', withAnn),
    service('svc_before', { ...withAnn, duration: { fixed: 'PT60M', buffer_before: LONG } }),
    service('svc_after', { ...withAnn, duration: { fixed: 'PT60M', buffer_after: LONG } }),
    service('svc_visit', { ...withAnn, type: 'field_service', channel: home, travel_time: FAR }),
    service('svc_both', {
      ...withAnn,
      type: 'field_service',
      channel: home,
      travel_time: FAR,
      duration: { fixed: 'PT60M', buffer_before: LONG, buffer_after: LONG },
    }),
  ],
  { hours: daily('06:00', '23:00'), resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann' }] },
)

const all = [
  '09:00',
  '09:30',
  '10:00',
  '10:30',
  '11:00',
  '11:30',
  '12:00',
  '12:30',
  '13:00',
  '13:30',
  '14:00',
  '14:30',
  '15:00',
]
const days = Array.from({ length: 20 }, (_, index) =>
  new Date(Date.UTC(2026, 10, 24 + index)).toISOString().slice(0, 10),
)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    const unused = days.values()

    test.each(['svc_before', 'svc_after', 'svc_around', 'svc_visit'])(
      '[AVL-062] [CAT-124] what is kept free around %s lies outside its time and its hours',
      async (id) => {
        const slots = await desk.slots(id, on('2026-12-29'))
        expect(hours(slots)).toEqual(all)
        for (const { start, end } of slots) expect(Date.parse(end) - Date.parse(start)).toBe(3_600_000)
      },
    )

    test.each([
      ['[AVL-062]', 'svc_plain', 'svc_plain', '11:00', '13:00'],
      ['[AVL-062]', 'svc_before', 'svc_plain', '10:30', '13:00'],
      ['[AVL-062]', 'svc_after', 'svc_plain', '11:00', '13:30'],
      ['[AVL-062]', 'svc_plain', 'svc_before', '11:00', '13:30'],
      ['[AVL-062]', 'svc_plain', 'svc_after', '10:30', '13:00'],
      ['[AVL-062] [CAT-124]', 'svc_around', 'svc_plain', '10:30', '13:30'],
      ['[AVL-062] [CAT-124]', 'svc_around', 'svc_around', '10:00', '14:00'],
      ['[AVL-069] [CAT-100]', 'svc_visit', 'svc_visit', '10:00', '14:00'],
      ['[AVL-069]', 'svc_visit', 'svc_plain', '10:30', '13:30'],
      ['[AVL-069]', 'svc_plain', 'svc_visit', '10:30', '13:30'],
      ['[AVL-069]', 'svc_visit_buffered', 'svc_visit', '10:00', '14:30'],
    ])('%s around a booking of %s at noon, %s ends by the start %s and begins again at %s', async (...row) => {
      const [, booked, asked, last, next] = row
      const range = on(unused.next().value ?? '')
      const noon = (await desk.slots(booked, range)).find(({ start }) => start.includes('T12:00'))
      const delivery_address = { line1: '5 Elm Street', city: 'New York', postal_code: '10001', country: 'US' }
      const { data } = await desk.book(noon, booked.startsWith('svc_visit') ? { delivery_address } : {})
      expect(data.booking.status).toBe('confirmed')
      const expected = all.filter((time) => time <= last || time >= next)
      expect(hours(await desk.slots(asked, range))).toEqual(expected)
    })
  },
)

test('[AVL-062] a table is not left for who comes after, while it is kept free before them', async () => {
  const table: ServiceDefinition = service('svc_table', {
    type: 'reservation',
    duration: { fixed: 'PT60M', buffer_before: 'PT30M' },
    capacity: { max: 2 },
    resources: [{ type: 'other', options: ['table_1', 'table_2'] }],
  })
  const tables = ['table_1', 'table_2'].map((id) => ({ id, type: 'table' as const, name: id, seats: 2 }))
  const desk = restDesk(await testShop(businessWith([table], { hours: daily('09:00', '16:00'), resources: tables })))
  const at = async (time: string) =>
    (await desk.slots('svc_table', on('2026-11-25'))).find(({ start }) => start.includes(`T${time}`))
  await desk.book(await at('11:00'), { party_size: 2 })
  // From 10:30 to 12:00 one of the two has somebody, or is kept free for them.
  const left = []
  for (const time of ['09:30', '10:00', '11:30', '12:00', '12:30']) left.push((await at(time))?.capacity.remaining)
  expect(left).toEqual([4, 2, 2, 2, 4])
})

await onBothDesks(
  () => testShop(farDefinition),
  (desk) => {
    const day = '2026-11-25'
    const moment = (time: string) => `${day}T${time}:00-05:00`

    test.each([
      // What is kept free after the last slots of the range reaches a booking that begins after its end.
      ['[AVL-062]', 'svc_after', '14:00', { end_date: moment('11:01') }, '10:30'],
      ['[AVL-069]', 'svc_visit', '14:00', { end_date: moment('11:01') }, '10:00'],
      ['[AVL-062] [AVL-069]', 'svc_both', '15:30', { end_date: moment('10:01') }, '09:00'],
      // What is kept free before the first slots of the range reaches one that ends before its beginning.
      ['[AVL-062]', 'svc_before', '14:00', { start_date: moment('16:00') }, '17:30'],
      ['[AVL-069]', 'svc_visit', '14:00', { start_date: moment('16:00') }, '18:00'],
      ['[AVL-062] [AVL-069]', 'svc_both', '09:00', { start_date: moment('13:00') }, '15:30'],
    ])(
      '%s what is kept free around %s counts beyond the ends of what is asked for (a booking at %s)',
      async (...row) => {
        const [, asked, begins, edge, bound] = row
        const noon = (await desk.slots('svc_plain', on(day))).find(({ start }) => start.includes(`T${begins}`))
        const { booking } = (await desk.book(noon)).data
        const found = hours(await desk.slots(asked, { ...on(day), ...edge }))
        const isBefore = 'end_date' in edge
        expect(isBefore ? found.at(-1) : found[0]).toBe(bound)
        await desk.cancel(booking.id)
      },
    )
  },
)

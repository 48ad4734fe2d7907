import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop, WEEK } from '../support/desk.ts'
import { daily, EVERY_DAY, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann'] }, { type: 'room' }] }),
    service('svc_uptown', { locations: ['loc_uptown'] }),
    service('svc_table', { type: 'reservation', resources: [{ type: 'other', options: ['table_2', 'table_4'] }] }),
    service('svc_both', { locations: ['loc_down', 'loc_fridays'] }),
    service('svc_served', {
      type: 'reservation',
      resources: [{ type: 'staff' }, { type: 'other', options: ['table_4'] }],
      capacity: { max: 9 },
    }),
    service('svc_pair', {
      type: 'group',
      capacity: { min: 2, max: 4 },
      sessions: [{ days: EVERY_DAY, starts: '17:00', location: 'loc_down', resources: ['staff_ann'] }],
    }),
    service('svc_duo', { capacity: { max: 2 }, locations: ['loc_uptown'] }),
  ],
  {
    hours: daily('09:00', '20:00'),
    locations: [
      { id: 'loc_down', name: 'Downtown' },
      { id: 'loc_fridays', name: 'Market', hours: [{ days: ['friday'], opens: '09:00', closes: '20:00' }] },
      { id: 'loc_uptown', name: 'Uptown', hours: daily('18:00', '20:00') },
    ],
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'room_1', type: 'room', name: 'Room' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    const query = async (service_id: string, input: Record<string, unknown>) =>
      (await desk.call('usp_availability_query', { service_id, ...WEEK, ...input }, { as: {} })).data
    const at = (moment: string) => ({ start_date: moment, end_date: moment })
    const never = 'This person or thing does not belong to this service.'

    test.each([
      ['svc_cut', { resource_id: 'table_2' }, never],
      ['svc_cut', { resource_id: 'nobody' }, never],
      ['svc_pair', { resource_id: 'room_1' }, never],
      ['svc_uptown', { location_id: 'loc_down' }, 'This service is not offered at this location.'],
      ['svc_table', { party_size: 5 }, 'No place is large enough for this party.'],
      ['svc_table', { party_size: 3, resource_id: 'table_2' }, 'Small table has no place for a party of this size.'],
      [
        'svc_pair',
        { resource_id: 'staff_ann', start_date: '2026-11-24T23:00:00-05:00', end_date: '2026-11-24T23:30:00-05:00' },
        'No class with Ann has free places then. The next free time is on 2026-11-25.',
      ],
      ['svc_served', { party_size: 5 }, 'No place is large enough for this party.'],
      [
        'svc_cut',
        at('2026-11-24T15:00:00Z'),
        'The range is empty: it ends at the moment it begins. The next free time is on 2026-11-24.',
      ],
      [
        'svc_cut',
        at('2027-11-24T15:00:00Z'),
        'The range is empty: it ends at the moment it begins. The next free time is on 2026-11-20.',
      ],
      [
        'svc_cut',
        { start_date: '2026-11-20T12:00:00Z', end_date: '2026-11-20T14:00:00Z' },
        'This is too soon: bookings need more notice. The next free time is on 2026-11-20.',
      ],
      [
        'svc_cut',
        { resource_id: 'staff_ann', start_date: '2026-11-20T12:00:00Z', end_date: '2026-11-20T14:00:00Z' },
        'This is too soon: bookings need more notice. The next free time is on 2026-11-20.',
      ],
      [
        'svc_table',
        { party_size: 3, start_date: '2026-11-20T12:00:00Z', end_date: '2026-11-20T14:00:00Z' },
        'This is too soon: bookings need more notice. The next free time is on 2026-11-20.',
      ],
      [
        'svc_both',
        { location_id: 'loc_fridays', ...on('2026-11-24') },
        'The service has no working hours in this range. The next free time is on 2026-11-27.',
      ],
      [
        'svc_pair',
        { start_date: '2026-11-24T23:00:00-05:00', end_date: '2026-11-24T23:30:00-05:00' },
        'No class has free places then. The next free time is on 2026-11-25.',
      ],
      ['svc_pair', { party_size: 5 }, 'It is for at most 4 people.'],
    ])('[AVL-047] [AVL-048] %s asked for with %j: %s', async (id, input, content) => {
      const { slots, messages } = await query(id, input)
      expect([slots, messages]).toEqual([[], [{ type: 'info', code: 'no_availability', content }]])
    })

    test('[AVL-048] the next free time is on a day of the zone that was asked in, so that asking for it finds it', async () => {
      const tokyo = { timezone: 'Asia/Tokyo' }
      const { messages } = await query('svc_uptown', { ...tokyo, ...on('2026-11-20') })
      const [, day = ''] = /The next free time is on ([\d-]+)\./.exec(messages[0].content) ?? []
      expect(day).toBe('2026-11-21')
      expect((await query('svc_uptown', { ...tokyo, ...on(day) })).slots[0].start).toBe('2026-11-21T08:00:00+09:00')
    })

    test.each([
      ['svc_pair', 1, 'It requires at least 2 people: send their number as party_size.'],
      ['svc_pair', 2, undefined],
      ['svc_duo', 2, undefined],
      ['svc_duo', 3, 'It is for at most 2 people.'],
    ])('[AVL-048] slots of %s for %i come with a word on who can book them: %s', async (id, party_size, content) => {
      const { slots, messages = [] } = await query(id, { party_size })
      expect(slots.length).toBeGreaterThan(0)
      expect(messages.map((one: { content: string }) => one.content)).toEqual(content ? [content] : [])
    })
  },
)

test.each([
  ['2027-02-18', 'The next free time is on 2027-02-19.'],
  ['2027-03-15', 'There is no free time in the coming three months.'],
])('[AVL-048] closed until %s: %s', async (to, expected) => {
  const { policies } = service('svc_a')
  const far = service('svc_a', {
    policies: { ...policies, booking_window: { min_advance: 'PT2H', max_advance: 'P300D', slot_interval: 'PT30M' } },
  })
  const closed = businessWith([far], { hours: daily('09:00', '20:00'), closures: [{ from: '2026-11-20', to }] })
  const desk = restDesk(await testShop(closed))
  const { data } = await desk.call('usp_availability_query', { service_id: 'svc_a', ...WEEK }, { as: {} })
  const { content } = data.messages.find(({ code }: { code: string }) => code === 'no_availability')
  expect(content).toContain(expected)
})

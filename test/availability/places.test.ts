import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, restDesk, testShop, WEEK } from '../support/desk.ts'
import { hours, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] }),
    service('svc_uptown', { locations: ['loc_uptown'] }),
    service('svc_visit', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
  ],
  {
    hours: [
      { days: ['tuesday', 'wednesday', 'thursday', 'friday'], opens: '09:00', closes: '11:00' },
      { days: ['saturday'], opens: '22:00', closes: '24:00' },
      { days: ['sunday'], opens: '22:00', closes: '00:00' },
    ],
    closures: [
      { from: '2026-11-25', to: '2026-11-25', reason: 'Inventory' },
      { from: '2026-11-26', to: '2026-11-27', reason: 'New floors', locations: ['loc_uptown'] },
    ],
    locations: [
      { id: 'loc_downtown', name: 'Downtown' },
      { id: 'loc_uptown', name: 'Uptown', hours: [{ days: ['tuesday', 'thursday'], opens: '10:00', closes: '11:00' }] },
    ],
    resources: [
      {
        id: 'staff_ann',
        type: 'staff',
        name: 'Ann',
        localized: { name: { es: 'Ana', 'pt-BR': 'Aninha' } },
        locations: ['loc_downtown'],
      },
      {
        id: 'staff_ben',
        type: 'staff',
        name: 'Ben',
        time_off: [{ from: '2026-11-27', to: '2026-11-27', reason: 'Dentist' }],
      },
    ],
  },
)

const query = (desk: Desk, input: Record<string, unknown>) =>
  desk.call('usp_availability_query', { service_id: 'svc_cut', ...WEEK, ...input }, { as: {} })

interface Told {
  type: string
  code: string
  content: string
}

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    test('[AVL-035] [AVL-036] [CAT-099] slots name their place, and with a place only slots there', async () => {
      const all = await desk.slots('svc_cut')
      for (const place of [
        { id: 'loc_downtown', name: 'Downtown' },
        { id: 'loc_uptown', name: 'Uptown' },
      ]) {
        const there = await desk.slots('svc_cut', { location_id: place.id })
        expect(there.length).toBeGreaterThan(0)
        expect(there).toEqual(all.filter(({ location }) => location.id === place.id))
        for (const { location } of there) expect(location).toEqual(place)
      }
      expect(all.every(({ location }) => location.id.startsWith('loc_'))).toBe(true)
    })

    test('[AVL-035] who is at one place only is not offered at another', async () => {
      const slots = await desk.slots('svc_cut', on('2026-11-24'))
      const found = slots.map(({ start, location, resources }) => [
        start.slice(11, 16),
        location.name,
        resources[0].name,
      ])
      expect(found).toEqual([
        ['09:00', 'Downtown', 'Ann'],
        ['09:00', 'Downtown', 'Ben'],
        ['09:30', 'Downtown', 'Ann'],
        ['09:30', 'Downtown', 'Ben'],
        ['10:00', 'Downtown', 'Ann'],
        ['10:00', 'Downtown', 'Ben'],
        ['10:00', 'Uptown', 'Ben'],
      ])
    })

    test('[AVL-036] what takes place at the buyer’s has no place of the business', async () => {
      const [slot] = await desk.slots('svc_visit')
      expect(slot).not.toHaveProperty('location')
    })

    test.each([
      ['es', 'Ana'],
      ['es-MX', 'Ana'],
      ['PT-br', 'Aninha'],
      ['pt', 'Ann'],
      ['sw', 'Ann'],
      ['not a language', 'Ann'],
    ])('[AVL-039] [AVL-040] in %s her name is %s', async (locale, name) => {
      const { status, data } = await query(desk, { locale, resource_id: 'staff_ann' })
      expect(status).toBe(200)
      expect(data.slots[0].resources).toEqual([{ id: 'staff_ann', type: 'staff', name }])
    })

    test('[AVL-043] [AVL-044] [AVL-045] the answer has the regular week of the business', async () => {
      const { data } = await query(desk, {})
      expect(data.opening_hours).toEqual([
        { day_of_week: ['tuesday', 'wednesday', 'thursday', 'friday'], opens: '09:00', closes: '11:00' },
        { day_of_week: ['saturday'], opens: '22:00', closes: '24:00' },
        { day_of_week: ['sunday'], opens: '22:00', closes: '00:00' },
      ])
      expect(hours(await desk.slots('svc_visit', on('2026-11-28')))).toEqual(['22:00', '22:30', '23:00'])
      expect(hours(await desk.slots('svc_visit', on('2026-11-29')))).toEqual(['22:00', '22:30', '23:00'])
    })

    test('[AVL-043] [AVL-045] and of a place with hours of its own, in local time whatever zone is asked', async () => {
      const { data } = await query(desk, { location_id: 'loc_uptown', timezone: 'Asia/Tokyo', locale: 'es' })
      expect(data.opening_hours).toEqual([{ day_of_week: ['tuesday', 'thursday'], opens: '10:00', closes: '11:00' }])
    })

    test('[AVL-046] a day off has no slots, and the regular week stays as it is', async () => {
      const [usual, closed] = [await query(desk, on('2026-11-24')), await query(desk, on('2026-11-25'))]
      expect(closed.data.slots).toEqual([])
      expect(closed.data.opening_hours).toEqual(usual.data.opening_hours)
    })

    test('[AVL-046] a day off of one place is none of another', async () => {
      const slots = await desk.slots('svc_cut', on('2026-11-26'))
      expect(new Set(slots.map(({ location }) => location.id))).toEqual(new Set(['loc_downtown']))
      expect(await desk.slots('svc_uptown', on('2026-11-26'))).toEqual([])
    })

    test.each([
      ['on a day off', on('2026-11-25')],
      ['on a day without hours', on('2026-11-30')],
      ['in the past', on('2026-11-17')],
      ['too far ahead', on('2027-11-24')],
      ['where nobody is', { ...on('2026-11-27'), location_id: 'loc_uptown' }],
    ])('[AVL-047] nothing is free %s, and that is no error', async (_, range) => {
      const { status, data } = await query(desk, range)
      expect(status).toBe(200)
      expect(data.slots).toEqual([])
      expect(data.pagination).toEqual({ cursor: null, has_more: false })
      expect(data.messages.map(({ type }: Told) => type)).not.toContain('error')
    })

    test('[AVL-048] days off and who is away are told, and why only where buyers may know', async () => {
      const messages: Told[] = (await query(desk, {})).data.messages
      expect(messages).toEqual([
        { type: 'info', code: 'closed', content: 'Closed on 2026-11-25: Inventory.' },
        { type: 'info', code: 'closed', content: 'Closed from 2026-11-26 to 2026-11-27 at Uptown: New floors.' },
        { type: 'info', code: 'reduced_availability', content: expect.not.stringContaining('Dentist') },
      ])
      expect((await query(desk, on('2026-11-24'))).data).not.toHaveProperty('messages')
    })

    test.each([
      ['2026-11-25', 'The service has no working hours in this range. The next free time is on 2026-11-26.'],
      ['2026-11-17', 'These days are in the past. The next free time is on 2026-11-20.'],
      ['2027-03-01', 'This is too far ahead to be booked. The next free time is on 2026-11-20.'],
    ])('[AVL-048] what is not free on %s is explained: %s', async (day, content) => {
      const { data } = await query(desk, on(day))
      expect(data.messages.at(-1)).toEqual({ type: 'info', code: 'no_availability', content })
    })
  },
)

describe('without places and hours', async () => {
  const desk = restDesk(await testShop(businessWith([service('svc_call', { channel: { type: 'phone' } })])))

  test('[AVL-036] [AVL-045] slots have no place and the answer no regular week', async () => {
    const { data } = await query(desk, { service_id: 'svc_call' })
    expect(data).not.toHaveProperty('opening_hours')
    expect(data.slots[0]).not.toHaveProperty('location')
  })
})

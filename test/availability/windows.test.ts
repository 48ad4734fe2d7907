import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { daily, hours, localTimes, on } from './week.ts'

const { policies } = service('svc')
const withWindow = (
  id: string,
  window: Partial<ServiceDefinition['policies']['booking_window']>,
  more: Partial<ServiceDefinition> = {},
) =>
  service(id, {
    ...more,
    locations: ['loc_down'],
    policies: { ...policies, booking_window: { ...policies.booking_window, ...window } },
  })

const staffed = (id: string, resources: string[], more = {}) =>
  service(id, { resources: [{ type: 'staff', selectable: true, options: resources }], ...more })

const definition = businessWith(
  [
    withWindow('svc_min', { min_advance: 'PT2H30M', slot_interval: 'PT15M' }),
    withWindow('svc_max', { min_advance: 'PT0S', max_advance: 'P4DT3H' }),
    withWindow('svc_steps', { slot_interval: 'PT25M' }),
    withWindow('svc_steps_table', { slot_interval: 'PT25M' }, { type: 'reservation' }),
    withWindow(
      'svc_steps_bike',
      { slot_interval: 'PT25M' },
      { type: 'rental', duration: { range: { min: 'PT60M', max: 'PT90M', step: 'PT15M' } } },
    ),
    service('svc_uptown', { locations: ['loc_uptown'] }),
    staffed('svc_early', ['staff_early'], { locations: ['loc_uptown'] }),
    staffed('svc_away', ['staff_away'], { locations: ['loc_down'] }),
    staffed('svc_late', ['staff_late'], { locations: ['loc_down'] }),
    service('svc_both', {
      locations: ['loc_down'],
      resources: [{ type: 'staff', options: ['staff_early'] }, { type: 'room' }],
    }),
    service('svc_paused', { status: 'suspended' }),
    service('svc_gone', { status: 'archived' }),
  ],
  {
    hours: [...daily('09:00', '12:00'), { days: ['tuesday'], opens: '14:10', closes: '16:00' }],
    locations: [
      { id: 'loc_down', name: 'Downtown' },
      { id: 'loc_uptown', name: 'Uptown', hours: daily('09:20', '18:00') },
    ],
    resources: [
      { id: 'staff_early', type: 'staff', name: 'Early', hours: daily('06:00', '11:00') },
      {
        id: 'staff_away',
        type: 'staff',
        name: 'Away',
        time_off: [
          { from: '2026-11-25', to: '2026-11-26' },
          { from: '2026-11-24T10:05', to: '2026-11-24T10:40' },
        ],
      },
      {
        id: 'staff_late',
        type: 'staff',
        name: 'Late',
        hours: [
          { days: ['wednesday'], opens: '09:00', closes: '10:45' },
          { days: ['wednesday'], opens: '10:30', closes: '12:00' },
        ],
      },
      { id: 'room_1', type: 'room', name: 'Room', hours: daily('09:10', '23:00') },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test.each([
      ['08:30', '11:00'],
      ['08:00', '10:30'],
      ['07:45', '10:15'],
      ['07:46', '10:30'],
    ])('[AVL-056] at %s the first slot is at %s', async (clock, first) => {
      shop.time.now = new Date(`2026-11-20T${clock}:00-05:00`)
      const slots = await desk.slots('svc_min', on('2026-11-20'))
      shop.time.now = START
      expect(hours(slots)[0]).toBe(first)
    })

    test.each([
      ['07:00', '10:00'],
      ['06:59', '09:30'],
      ['08:00', '11:00'],
    ])('[AVL-057] at %s the last slot four days ahead is at %s', async (clock, last) => {
      shop.time.now = new Date(`2026-11-20T${clock}:00-05:00`)
      const slots = await desk.slots('svc_max', { start_date: '2026-11-24', end_date: '2026-11-26' })
      shop.time.now = START
      expect(localTimes(slots).at(-1)).toBe(`2026-11-24T${last}`)
    })

    test.each(['svc_steps', 'svc_steps_table', 'svc_steps_bike'])(
      '[AVL-058] [CAT-121] slots of %s step from the opening of each window',
      async (id) => {
        const starts = new Set(hours(await desk.slots(id, on('2026-11-24'))))
        expect([...starts]).toEqual(['09:00', '09:25', '09:50', '10:15', '10:40', '14:10', '14:35', '15:00'])
      },
    )

    test.each([
      [
        'the hours of the place within those of the business',
        'svc_uptown',
        '2026-11-25',
        ['09:20', '09:50', '10:20', '10:50'],
      ],
      ['the hours of a person within those of the place', 'svc_early', '2026-11-25', ['09:20', '09:50']],
      ['the hours of a person and of a room', 'svc_both', '2026-11-25', ['09:10', '09:40']],
      ['a person who is away for a while', 'svc_away', '2026-11-24', ['09:00', '10:40', '14:10', '14:40']],
      ['a person who is away for days', 'svc_away', '2026-11-25', []],
      ['the last of these days', 'svc_away', '2026-11-26', []],
      ['the day after', 'svc_away', '2026-11-27', ['09:00', '09:30', '10:00', '10:30', '11:00']],
      ['windows that overlap', 'svc_late', '2026-11-25', ['09:00', '09:30', '10:00', '10:30', '11:00']],
    ])('[AVL-059] slots keep to %s', async (_, id, day, expected) => {
      expect(hours(await desk.slots(id, on(day)))).toEqual(expected)
    })

    test.each([
      ['svc_paused', 'service_suspended'],
      ['svc_gone', 'service_archived'],
    ])('[AVL-070] %s has no slots, and says why', async (service_id, code) => {
      const { status, data } = await desk.call('usp_availability_query', { service_id, ...on('2026-11-24') })
      expect(status).toBe(200)
      expect(data.slots).toEqual([])
      expect(data.messages).toMatchObject([{ type: 'info', code }])
    })
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test.each([
      ['suspended', on('2026-11-25')],
      ['archived', on('2026-11-26')],
    ] as const)(
      '[AVL-070] [CAT-073] slots of a service that is %s by now are gone, even to whoever holds one',
      async (status, day) => {
        const [slot, , , , held, , , , other] = await desk.slots('svc_min', day)
        const { hold } = (await desk.hold(held)).data
        const booked = (await desk.book(other)).data.booking
        const services = definition.services.map((one) => (one.id === 'svc_min' ? { ...one, status } : one))
        await shop.apply({ ...definition, services })
        await expect.poll(() => desk.slots('svc_min')).toEqual([])
        const refused = [
          await desk.hold(slot),
          await desk.book(slot),
          await desk.book(held, { hold_id: hold.id }),
          await desk.reschedule(booked.id, slot),
        ]
        for (const said of refused) expect(said).toMatchObject({ status: 200, code: 'slot_unavailable' })
        await shop.apply(definition)
        await expect.poll(() => desk.slots('svc_min')).not.toEqual([])
        expect((await desk.book(slot)).data.booking.slot.id).toBe(slot.id)
      },
    )
  },
)

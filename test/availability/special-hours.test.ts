import { describe, expect, test } from 'vitest'
import type { BusinessDefinition, OpeningWindow } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, type Said, testShop, WEEK } from '../support/desk.ts'
import { hours, localTimes, on, who } from './week.ts'

const week = (opens: string, closes: string): OpeningWindow[] => [
  { days: ['tuesday', 'wednesday', 'thursday', 'friday', 'saturday'], opens, closes },
]

const definition: BusinessDefinition = businessWith(
  [
    service('svc_down', { locations: ['loc_down'] }),
    service('svc_up', { locations: ['loc_up'] }),
    service('svc_visit', { channel: { type: 'at_buyer_location' } }),
    service('svc_cut', {
      locations: ['loc_down'],
      resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }],
    }),
  ],
  {
    hours: week('09:00', '12:00'),
    special_hours: [
      { from: '2026-11-26', opens: '09:00', closes: '10:30', reason: 'Half a day' },
      { from: '2026-11-27', opens: '08:00', closes: '09:00' },
      { from: '2026-11-27', opens: '11:00', closes: '12:00' },
      {
        from: '2026-11-27',
        to: '2026-11-30',
        days: ['friday', 'monday'],
        opens: '13:00',
        closes: '15:00',
        locations: ['loc_up'],
      },
      { from: '2026-11-28', opens: '09:00', closes: '20:00' },
      { from: '2026-11-29', opens: '10:00', closes: '12:00', reason: 'Advent' },
    ],
    closures: [{ from: '2026-11-28', to: '2026-11-28' }],
    locations: [
      { id: 'loc_down', name: 'Downtown' },
      { id: 'loc_up', name: 'Uptown', hours: week('09:30', '11:30') },
    ],
    resources: [
      {
        id: 'staff_ann',
        type: 'staff',
        name: 'Ann',
        hours: week('09:00', '12:00'),
        special_hours: [
          { from: '2026-11-24', opens: '11:00', closes: '13:00' },
          { from: '2026-11-29', opens: '09:00', closes: '11:00' },
        ],
        time_off: [{ from: '2026-11-29T10:30', to: '2026-11-29' }],
      },
      { id: 'staff_ben', type: 'staff', name: 'Ben', hours: week('09:00', '12:00') },
      { id: 'staff_cat', type: 'staff', name: 'Cat', locations: ['loc_up'] },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const on24 = ['09:00', '09:30', '10:00', '10:30', '11:00']
    test.each([
      ['svc_down', '2026-11-25', on24],
      ['svc_down', '2026-11-26', ['09:00', '09:30']],
      ['svc_down', '2026-11-27', ['08:00', '11:00']],
      ['svc_down', '2026-11-28', []],
      ['svc_down', '2026-11-29', ['10:00', '10:30', '11:00']],
      ['svc_down', '2026-11-30', []],
      ['svc_up', '2026-11-25', ['09:30', '10:00', '10:30']],
      ['svc_up', '2026-11-26', ['09:00', '09:30']],
      ['svc_up', '2026-11-27', ['13:00', '13:30', '14:00']],
      ['svc_up', '2026-11-29', ['10:00', '10:30', '11:00']],
      ['svc_up', '2026-11-30', ['13:00', '13:30', '14:00']],
      ['svc_visit', '2026-11-27', ['08:00', '11:00']],
      ['svc_visit', '2026-11-30', []],
    ])('[hours of one day] %s on %s begins at %j', async (id, day, expected) => {
      expect(hours(await desk.slots(id, on(day)))).toEqual(expected)
    })

    test('[hours of one day] somebody is there by theirs, while it is open and they are not away', async () => {
      const slots = await desk.slots('svc_cut')
      const of = (id: string, day: string) =>
        localTimes(slots.filter((slot) => who(slot) === id)).filter((one) => one.startsWith(day))
      expect(of('staff_ann', '2026-11-24')).toEqual(['2026-11-24T11:00'])
      expect(of('staff_ben', '2026-11-24')).toEqual(on24.map((time) => `2026-11-24T${time}`))
      expect(of('staff_ann', '2026-11-25')).toHaveLength(5)
      expect([of('staff_ann', '2026-11-29'), of('staff_ben', '2026-11-29')]).toEqual([[], []])
    })

    test('[hours of one day] are said beside the times, with the reason', async () => {
      const { data }: Said = await desk.call('usp_availability_query', { service_id: 'svc_down', ...WEEK }, { as: {} })
      const said = data.messages.map(({ content }: { content: string }) => content)
      expect(said).toContain('Other hours on 2026-11-26, 09:00 to 10:30: Half a day.')
      expect(said).toContain('Other hours on 2026-11-29, 10:00 to 12:00: Advent.')
      expect(said.filter((text: string) => text.includes('Uptown'))).toEqual([])
      const up = await desk.call('usp_availability_query', { service_id: 'svc_up', ...on('2026-11-30') }, { as: {} })
      expect(up.data.messages[0]).toEqual({
        type: 'info',
        code: 'special_hours',
        content: 'Other hours from 2026-11-27 to 2026-11-30 (friday, monday), 13:00 to 15:00 at Uptown.',
      })
    })

    test('[hours of one day] on a day otherwise closed it can be held, booked and moved to, and the day of the desk shows who is there', async () => {
      const [first, , third] = await desk.slots('svc_up', on('2026-11-29'))
      expect((await desk.hold(first)).data.hold.status).toBe('active')
      const [usual] = await desk.slots('svc_up', on('2026-11-25'))
      const { booking } = (await desk.book(usual)).data
      const moved = await desk.reschedule(booking.id, third)
      expect(moved.data.booking.slot.start).toBe('2026-11-29T11:00:00-05:00')
      const day = await desk.call('usp_business_day', { date: '2026-11-29' }, { as: shop.staff })
      const there = Object.fromEntries(
        day.data.resources.map((one: { id: string; there: unknown }) => [one.id, one.there]),
      )
      const at = (time: string) => `2026-11-29T${time}:00-05:00`
      expect(there).toEqual({
        staff_ann: [{ start: at('10:00'), end: at('10:30') }],
        staff_ben: [],
        staff_cat: [{ start: at('10:00'), end: at('12:00') }],
      })
    })

    test('[hours of one day] the staff set them aside like all hours', async () => {
      const wish = {
        service_id: 'svc_cut',
        resource_ids: ['staff_ben'],
        buyer: { first_name: 'Rosa', phone_number: '+12125550143' },
      }
      const start = '2026-11-26T11:00:00-05:00'
      const refused = await desk.call('usp_business_bookings_create', { ...wish, start }, { as: shop.staff })
      expect(refused.code).toBe('validation_error')
      const made = await desk.call(
        'usp_business_bookings_create',
        { ...wish, start, override: ['hours'] },
        { as: shop.staff },
      )
      expect(made.data.booking.slot.start).toBe(start)
    })
  },
)

describe('a class', async () => {
  const yoga = service('svc_yoga', {
    type: 'group',
    capacity: { max: 3 },
    locations: ['loc_down'],
    sessions: [{ days: ['thursday', 'sunday'], starts: '10:00', resources: ['staff_ann'] }],
  })
  const ann = (definition.resources ?? []).map(({ time_off: _, ...one }) => one)
  await onBothDesks(
    () => testShop({ ...definition, services: [yoga], resources: ann }),
    (desk) =>
      test('[hours of one day] takes place when it is open by way of exception, and not when it closes early', async () => {
        expect(localTimes(await desk.slots('svc_yoga'))).toEqual(['2026-11-29T10:00'])
      }),
  )
})

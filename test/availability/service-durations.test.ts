import { describe, expect, test } from 'vitest'
import type { DurationDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, on } from './week.ts'

const range = (id: string, min: string, max: string, step: string) =>
  service(id, { duration: { range: { min, max, step } } })

const definition = businessWith(
  [
    range('svc_even', 'PT1H', 'PT2H', 'PT30M'),
    range('svc_half', 'PT30M', 'PT2H', 'PT30M'),
    range('svc_uneven', 'PT45M', 'PT2H', 'PT30M'),
    range('svc_one', 'PT1H', 'PT1H', 'PT15M'),
    service('svc_call', { duration: { undetermined: true }, scheduled_duration: 'PT40M' }),
    service('svc_odd', { duration: { fixed: 'PT0.5S' } }),
  ],
  { hours: daily('09:00', '11:00') },
)

const told = (slots: { start: string; duration: string; end: string }[]) =>
  slots.map(({ start, duration, end }) => `${start.slice(11, 16)} ${duration} ${end.slice(11, 16)}`)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    test.each([
      [
        'svc_even',
        [
          ...['09:00 PT60M 10:00', '09:00 PT90M 10:30', '09:00 PT120M 11:00'],
          ...['09:30 PT60M 10:30', '09:30 PT90M 11:00', '10:00 PT60M 11:00'],
        ],
      ],
      [
        'svc_uneven',
        [
          ...['09:00 PT45M 09:45', '09:00 PT75M 10:15', '09:00 PT105M 10:45'],
          ...['09:30 PT45M 10:15', '09:30 PT75M 10:45', '10:00 PT45M 10:45'],
        ],
      ],
      ['svc_one', ['09:00 PT60M 10:00', '09:30 PT60M 10:30', '10:00 PT60M 11:00']],
      [
        'svc_half',
        [
          ...['09:00 PT30M 09:30', '09:00 PT60M 10:00', '09:00 PT90M 10:30', '09:00 PT120M 11:00'],
          ...['09:30 PT30M 10:00', '09:30 PT60M 10:30', '09:30 PT90M 11:00'],
          ...['10:00 PT30M 10:30', '10:00 PT60M 11:00', '10:30 PT30M 11:00'],
        ],
      ],
    ])('[AVL-067] [CAT-125] %s has a slot for each start and length', async (id, expected) => {
      const slots = await desk.slots(id, on('2026-11-24'))
      expect(told(slots)).toEqual(expected)
      expect(new Set(slots.map((slot) => slot.id)).size).toBe(slots.length)
    })

    test('[AVL-067] the length that was chosen is the one that is booked', async () => {
      const slot = (await desk.slots('svc_even', on('2026-11-25'))).find(({ duration }) => duration === 'PT90M')
      const { data } = await desk.book(slot)
      expect(data.booking.slot).toMatchObject({ start: slot.start, end: slot.end })
      expect(told(await desk.slots('svc_even', on('2026-11-25')))).toEqual([])
    })

    test('[AVL-068] where nobody knows how long it takes a slot lasts as long as it is scheduled for', async () => {
      const slots = await desk.slots('svc_call', on('2026-11-24'))
      expect(told(slots)).toEqual(['09:00 PT40M 09:40', '09:30 PT40M 10:10', '10:00 PT40M 10:40'])
    })

    test('[AVL-018] [AVL-073] what lasts part of a second lasts a second, and can be held', async () => {
      const [slot] = await desk.slots('svc_odd', on('2026-11-24'))
      expect(slot).toMatchObject({ duration: 'PT1S', end: '2026-11-24T09:00:01-05:00' })
      expect((await desk.hold(slot)).data.hold.slot_id).toBe(slot.id)
    })
  },
)

describe.each<[string, DurationDefinition, string[]]>([
  ['over midnight', { fixed: 'PT3H' }, ['23:00 PT180M 02:00', '23:30 PT180M 02:30', '00:00 PT180M 03:00']],
  ['over days', { fixed: 'P1DT1H' }, ['23:00 PT1500M 00:00', '23:30 PT1500M 00:30', '00:00 PT1500M 01:00']],
])('where it is always open, %s', async (_, duration, expected) => {
  const desk = restDesk(await testShop(businessWith([service('svc_night', { duration })])))

  test('[AVL-059] slots may last as long as that', async () => {
    const range = { start_date: '2026-11-24T23:00:00-05:00', end_date: '2026-11-25T00:30:00-05:00' }
    expect(told(await desk.slots('svc_night', range))).toEqual(expected)
  })
})

describe('of a class', async () => {
  const yoga = service('svc_yoga', {
    type: 'group',
    capacity: { max: 3 },
    duration: { fixed: 'PT75M' },
    sessions: [{ days: EVERY_DAY, starts: '09:15' }],
  })
  const desk = restDesk(await testShop({ ...definition, services: [yoga] }))

  test('[AVL-018] the length is that of the service', async () => {
    expect(told(await desk.slots('svc_yoga', on('2026-11-24')))).toEqual(['09:15 PT75M 10:30'])
  })
})

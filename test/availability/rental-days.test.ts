import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { ServiceDefinition, SessionDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { EVERY_DAY, on } from './week.ts'

const { policies } = service('any')
const rental = (id: string, more: Partial<ServiceDefinition>) =>
  service(id, {
    type: 'rental',
    resources: [{ type: 'equipment', options: [`bike_${id.slice(4)}`] }],
    policies: {
      ...policies,
      booking_window: { ...policies.booking_window, slot_interval: 'PT4H', max_advance: 'P400D' },
    },
    ...more,
  })
const days = (min: string, max: string) => ({ duration: { range: { min, max, step: 'P1D' } } })
const bikes = ['week', 'away', 'chosen', 'clock', 'desk', 'hours', 'night']

const definition = businessWith(
  [
    rental('svc_week', days('P1D', 'P3D')),
    rental('svc_away', { duration: { fixed: 'P2D', buffer_after: 'PT1H' } }),
    rental('svc_chosen', {
      duration: { fixed: 'P1W' },
      resources: [{ type: 'equipment', selectable: true, options: ['bike_chosen'] }],
    }),
    rental('svc_clock', { duration: { fixed: 'P2D' } }),
    rental('svc_desk', days('P1D', 'P3D')),
    rental('svc_hours', { duration: { fixed: 'PT48H' } }),
  ],
  {
    hours: [
      { days: EVERY_DAY.filter((day) => day !== 'sunday' && day !== 'saturday'), opens: '09:00', closes: '18:00' },
      { days: ['saturday'], opens: '10:00', closes: '14:00' },
    ],
    closures: [{ from: '2026-12-09', to: '2026-12-09' }],
    resources: bikes.map((name) => ({
      id: `bike_${name}`,
      type: 'equipment',
      name: `Bike ${name}`,
      ...(name === 'away' && {
        time_off: [
          { from: '2026-12-02T20:00', to: '2026-12-02T22:00' },
          { from: '2026-12-14T06:00', to: '2026-12-14T09:00' },
        ],
      }),
    })),
  },
)

const told = (slots: { start: string; end: string }[]) =>
  slots.map(({ start, end }) => `${start.slice(5, 16)} ${end.slice(5, 16)}`)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const rule = '[a rental in days runs over nights]'

    test(`${rule} it begins and ends at the same hour while it is open`, async () => {
      expect(told(await desk.slots('svc_week', on('2026-12-03')))).toEqual([
        ...['12-03T09:00 12-04T09:00', '12-03T13:00 12-04T13:00', '12-03T13:00 12-05T13:00'],
        ...['12-03T17:00 12-04T17:00'],
      ])
    })

    test(`${rule} it is out over a day off, and neither begins nor ends on it`, async () => {
      const tuesday = told(await desk.slots('svc_week', on('2026-12-08')))
      expect(tuesday.map((slot) => slot.slice(12, 17))).toEqual(['12-10', '12-11', '12-10', '12-11', '12-10', '12-11'])
      expect(await desk.slots('svc_week', on('2026-12-09'))).toEqual([])
    })

    test(`${rule} what is away in between, though at night, cannot be had`, async () => {
      const slots = await desk.slots('svc_away', { start_date: '2026-11-30', end_date: '2026-12-03' })
      expect(told(slots)).toEqual([
        '11-30T09:00 12-02T09:00',
        '11-30T13:00 12-02T13:00',
        '11-30T17:00 12-02T17:00',
        '12-03T13:00 12-05T13:00',
      ])
    })

    test(`${rule} and it can be had from the very moment at which it is back`, async () => {
      expect(told(await desk.slots('svc_away', on('2026-12-14')))[0]).toBe('12-14T09:00 12-16T09:00')
    })

    test(`${rule} while it is out nobody else has it`, async () => {
      const [slot] = await desk.slots('svc_chosen', on('2026-11-30'))
      const { booking } = (await desk.book(slot, { resource_id: 'bike_chosen' })).data
      expect(told([booking.slot])).toEqual(['11-30T09:00 12-07T09:00'])
      const later = told(await desk.slots('svc_chosen', { start_date: '2026-11-30', end_date: '2026-12-07' }))
      expect(later).toEqual(['12-07T09:00 12-14T09:00', '12-07T13:00 12-14T13:00', '12-07T17:00 12-14T17:00'])
    })

    test.each([
      ['an hour shorter', '2027-03-12', '2027-03-12T09:00:00-05:00', '2027-03-15T09:00:00-04:00', 'PT4260M'],
      ['an hour longer', '2027-11-05', '2027-11-05T09:00:00-04:00', '2027-11-08T09:00:00-05:00', 'PT4380M'],
    ])(`${rule} where clocks are changed it is %s and ends at the same hour`, async (_, day, start, end, duration) => {
      const slot = (await desk.slots('svc_week', on(day))).find((one) => one.start === start && one.end === end)
      expect(slot).toMatchObject({ start, end, duration })
      const { hold } = (await desk.hold(slot)).data
      const { booking } = (await desk.book(slot, { hold_id: hold.id })).data
      expect(booking.slot).toMatchObject({ start, end, duration })
    })

    test(`${rule} the staff book by days too, and a booking that moves keeps its days`, async () => {
      const staff = async (what: string, input: object) =>
        (await desk.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })).data.booking
      const wish = { service_id: 'svc_desk', buyer: { first_name: 'Jo' }, duration: 'P3D' }
      const made = await staff('create', { ...wish, start: '2027-03-12T09:30:00-05:00' })
      expect(told([made.slot])).toEqual(['03-12T09:30 03-15T09:30'])
      const moved = await staff('reschedule', { booking_id: made.id, start: '2027-03-16T10:00:00-04:00' })
      expect(told([moved.slot])).toEqual(['03-16T10:00 03-19T10:00'])
    })

    test(`${rule} what is given in hours lies within the hours`, async () => {
      expect(await desk.slots('svc_hours', { start_date: '2026-11-30', end_date: '2026-12-06' })).toEqual([])
    })
  },
)

test('[a rental in days runs over nights] where it is always open, across a change of clocks just after midnight', async () => {
  const always = rental('svc_night', { duration: { fixed: 'P1D' } })
  const shop = await testShop({ ...businessWith([always]), resources: definition.resources ?? [] })
  const asked = {
    service_id: 'svc_night',
    start_date: '2027-11-07T00:00:00-04:00',
    end_date: '2027-11-07T00:01:00-04:00',
  }
  const { body } = await shop.rest('POST', '/availability/query', asked)
  expect(told(body.slots)).toEqual(['11-07T00:00 11-08T00:00'])
  // The day after is looked at too, though a day of so many hours would end before it.
  const wish = { service_id: 'svc_night', start: '2027-11-07T00:30:00-04:00', buyer: { first_name: 'Jo' } }
  const made = await restDesk(shop).call('usp_business_bookings_create', wish, { as: shop.staff })
  expect(told([made.data.booking.slot])).toEqual(['11-07T00:30 11-08T00:30'])
})

test('[what can never be booked is said when it is applied] with what to do about it', () => {
  const neverHad = (read: object) =>
    readDefinition(JSON.stringify(read), 'business.json').warnings.filter((one) => one.includes('can never be booked'))
  expect(neverHad(definition)).toEqual([
    expect.stringMatching(/services\[svc_hours\]\.duration can never be booked: .* P2D, continues overnight\.$/),
  ])
  const evenings = service('svc_late', { resources: [{ type: 'staff' }] })
  const late = {
    id: 'ann',
    type: 'staff' as const,
    name: 'Ann',
    hours: [{ days: EVERY_DAY, opens: '17:30', closes: '22:00' }],
  }
  const shop = {
    ...definition,
    services: [evenings, { ...evenings, id: 'svc_off', status: 'suspended' as const }],
    resources: [late],
  }
  expect(neverHad(shop)).toEqual([
    expect.stringMatching(/services\[svc_late\]\.duration can never be booked: .*long enough\.$/),
  ])
})

test('[what can never be booked is said when it is applied] of classes, one by one', () => {
  const starts = '10:00'
  const yoga = (id: string, sessions: SessionDefinition[] | undefined) =>
    service(id, { type: 'group', capacity: { max: 5 }, ...(sessions && { sessions }) })
  const { warnings } = readDefinition(
    JSON.stringify({
      ...businessWith([
        yoga('svc_none', undefined),
        yoga('svc_some', [
          { days: ['sunday'], starts },
          { days: ['monday'], starts },
          { days: ['monday'], starts: '17:30' },
          { days: ['monday'], starts, resources: ['ann'] },
          { days: ['tuesday'], starts, resources: ['ann'], from: '2030-01-01', until: '2030-12-31' },
          { rrule: 'FREQ=MONTHLY;BYDAY=1SU', from: '2026-01-01', starts },
          { rrule: 'FREQ=MONTHLY;BYDAY=1MO', from: '2026-01-01', starts },
        ]),
      ]),
      hours: [{ days: ['monday', 'tuesday'], opens: '09:00', closes: '18:00' }],
      resources: [
        { id: 'ann', type: 'staff', name: 'Ann', hours: [{ days: ['tuesday'], opens: '09:00', closes: '18:00' }] },
      ],
    }),
    'business.json',
  )
  expect(warnings).toEqual([
    expect.stringMatching(/services\[svc_none\]\.sessions is missing: without it no class ever takes place$/),
    ...[0, 2, 3, 5].map((nth) =>
      expect.stringMatching(new RegExp(`services\\[svc_some\\]\\.sessions\\[${nth}\\] never takes place: `)),
    ),
  ])
})

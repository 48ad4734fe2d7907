import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { windowsOn } from '../../src/domain/availability/opening-hours-on-day.ts'
import { workingSpans } from '../../src/domain/availability/working-hours-and-closures.ts'
import type { BusinessDefinition, OpeningWindow, Rota } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { daily, localTimes, on } from './week.ts'

const { policies } = service('svc')
const early: OpeningWindow[] = [{ days: ['tuesday', 'wednesday'], opens: '09:00', closes: '11:00' }]
const late: OpeningWindow[] = [{ days: ['tuesday'], opens: '15:00', closes: '17:00' }]

/** Ann comes early, late, and then not at all. */
const definition: BusinessDefinition = businessWith(
  [
    service('svc_cut', {
      resources: [{ type: 'staff', selectable: true, options: ['staff_ann'] }],
      policies: { ...policies, booking_window: { ...policies.booking_window, slot_interval: 'PT60M' } },
    }),
    service('svc_yoga', {
      type: 'group',
      capacity: { max: 3 },
      sessions: [{ days: ['tuesday'], starts: '15:00', resources: ['staff_bea'] }],
    }),
  ],
  {
    hours: daily('08:00', '18:00'),
    availability: { max_days: 92 },
    resources: [
      {
        id: 'staff_ann',
        type: 'staff',
        name: 'Ann',
        rota: { begins: '2026-11-23', weeks: [{ hours: early }, { hours: late }, {}] },
        special_hours: [{ from: '2026-12-09', opens: '12:00', closes: '13:00' }],
        time_off: [{ from: '2026-12-15', to: '2026-12-15' }],
      },
      {
        id: 'staff_bea',
        type: 'staff',
        name: 'Bea',
        rota: { begins: '2027-06-07', weeks: [{ hours: early }, { hours: late }] },
      },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test('[weeks that alternate] one after the other, and after the last the first again', async () => {
      const slots = await desk.slots('svc_cut', { start_date: '2026-11-23', end_date: '2027-01-06' })
      expect(localTimes(slots)).toEqual([
        ...['2026-11-24T09:00', '2026-11-24T10:00', '2026-11-25T09:00', '2026-11-25T10:00'],
        ...['2026-12-01T15:00', '2026-12-01T16:00'],
        '2026-12-09T12:00',
        ...['2026-12-16T09:00', '2026-12-16T10:00'],
        ...['2026-12-22T15:00', '2026-12-22T16:00'],
        ...['2027-01-05T09:00', '2027-01-05T10:00', '2027-01-06T09:00', '2027-01-06T10:00'],
      ])
    })

    test('[weeks that alternate] a class takes place when its teacher comes, before the day from which weeks are counted too', async () => {
      const slots = await desk.slots('svc_yoga', { start_date: '2026-11-23', end_date: '2026-12-31' })
      // 2027-06-07 begins an early week, so 2026-11-23 does: 28 weeks lie between.
      expect(localTimes(slots)).toEqual(['2026-12-01T15:00', '2026-12-15T15:00', '2026-12-29T15:00'])
    })

    test('[weeks that alternate] hold, booking, moving and the day of the desk agree', async () => {
      const [slot] = await desk.slots('svc_cut', on('2026-12-01'))
      const held = await desk.hold(slot)
      const { booking } = (await desk.book(slot, { hold_id: held.data.hold.id })).data
      const [later] = await desk.slots('svc_cut', on('2026-12-22'))
      expect((await desk.reschedule(booking.id, later)).data.booking.slot.start).toBe('2026-12-22T15:00:00-05:00')
      const there = async (date: string) => {
        const { data } = await desk.call('usp_business_day', { date }, { as: shop.staff })
        return data.resources[0].there
      }
      expect(await there('2026-12-08')).toEqual([])
      expect(await there('2026-12-22')).toEqual([
        { start: '2026-12-22T15:00:00-05:00', end: '2026-12-22T17:00:00-05:00' },
      ])
    })

    test('[weeks that alternate] the staff set them aside like all hours', async () => {
      const wish = {
        service_id: 'svc_cut',
        resource_ids: ['staff_ann'],
        buyer: { first_name: 'Rosa', phone_number: '+12125550143' },
      }
      const create = (more: object) =>
        desk.call(
          'usp_business_bookings_create',
          { ...wish, start: '2026-12-08T09:00:00-05:00', ...more },
          { as: shop.staff },
        )
      expect((await create({})).code).toBe('validation_error')
      expect((await create({ override: ['hours'] })).data.booking.status).toBe('confirmed')
    })
  },
)

describe('whatever the weeks and the zone', () => {
  const anyDate = fc
    .integer({ min: 0, max: 40_000 })
    .map((days) => Temporal.PlainDate.from('1990-01-01').add({ days }).toString())
  const anyRota: fc.Arbitrary<Rota> = fc.record({
    begins: anyDate,
    weeks: fc
      .integer({ min: 1, max: 9 })
      .map((count) => Array.from({ length: count }, (_, nth) => ({ hours: daily('09:00', `10:0${nth}`) }))),
  })
  const weekOn = (rota: Rota, day: string) => Number(windowsOn({ rota }, day)?.[0]?.closes.slice(-1))
  const later = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

  test('[weeks that alternate] each has seven days, and they go round for ever, both ways', () => {
    fc.assert(
      fc.property(anyRota, fc.integer({ min: -3000, max: 3000 }), (rota, days) => {
        const [day, count] = [later(rota.begins, days), rota.weeks.length]
        const nth = weekOn(rota, day)
        expect(weekOn(rota, rota.begins)).toBe(0)
        expect(weekOn(rota, later(day, 7))).toBe((nth + 1) % count)
        expect(weekOn(rota, later(day, 7 * count))).toBe(nth)
        const weekday = ((days % 7) + 7) % 7
        expect(weekOn(rota, later(day, 6 - weekday))).toBe(nth)
        expect(weekOn(rota, later(day, -weekday))).toBe(nth)
      }),
    )
  })

  test('[weeks that alternate] a change of clocks moves none of them', () => {
    fc.assert(
      fc.property(
        anyRota,
        fc.constantFrom('America/New_York', 'Pacific/Apia', 'Africa/Cairo', 'America/Sao_Paulo', 'Australia/Lord_Howe'),
        anyDate,
        (rota, zone, day) => {
          const [window] = windowsOn({ rota }, day) ?? []
          const [span] = workingSpans(zone, [day], { rota })
          // Apia left a day out.
          if (!span || !window) return
          const shown = span.map((instant) =>
            Temporal.Instant.fromEpochMilliseconds(instant)
              .toZonedDateTimeISO(zone)
              .toPlainDateTime()
              .toString({ smallestUnit: 'minute' }),
          )
          expect(shown).toEqual([`${day}T${window.opens}`, `${day}T${window.closes}`])
        },
      ),
    )
  })
})

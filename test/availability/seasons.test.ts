import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { slotAmount } from '../../src/domain/pricing/slot-price.ts'
import type { PriceRule } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { annAndBen, daily, EVERY_DAY, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', {
      resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }],
      price_rules: [
        {
          season: { from: '2026-11-25', to: '2026-11-26' },
          days: ['thursday'],
          from: '10:00',
          amount: 9000,
          label: 'Thanksgiving',
        },
        { season: { from: '2026-11-25', to: '2026-11-26' }, amount: 8000 },
        { season: { from: '2026-11-29' }, resources: ['staff_ann'], percent: 120 },
        { season: { to: '2026-11-24' }, amount: 5000 },
      ],
    }),
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: annAndBen,
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    const at = async (day: string, time: string, resource_id: string) => {
      const slots = await desk.slots('svc_cut', { ...on(day), resource_id })
      return slots.find(({ start }) => start.includes(`T${time}`))
    }

    test.each([
      ['2026-11-24', '10:00', 'staff_ann', 5000],
      ['2026-11-25', '10:00', 'staff_ben', 8000],
      ['2026-11-26', '09:30', 'staff_ben', 8000],
      ['2026-11-26', '10:00', 'staff_ben', 9000],
      ['2026-11-27', '10:00', 'staff_ann', 7500],
      ['2026-11-29', '10:00', 'staff_ben', 7500],
      ['2026-12-08', '10:00', 'staff_ann', 9000],
    ])('[the price of a season] on %s at %s %s costs %i, and the booking with it', async (day, time, who, amount) => {
      const slot = await at(day, time, who)
      expect(slot.pricing.amount).toBe(amount)
      const held = await desk.hold(slot)
      const { booking } = (await desk.book(slot, { hold_id: held.data.hold.id })).data
      expect(booking.payment.amount).toBe(amount)
      await desk.cancel(booking.id)
    })

    test('[the price of a season] a booking that moves into one costs what it costs then', async () => {
      const { booking } = (await desk.book(await at('2026-11-24', '09:00', 'staff_ben'))).data
      const moved = await desk.reschedule(booking.id, await at('2026-11-25', '09:00', 'staff_ben'))
      expect([booking.payment.amount, moved.data.booking.payment.amount]).toEqual([5000, 8000])
    })
  },
)

describe('whatever the zone', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']
  const day = fc
    .integer({ min: 0, max: 12 })
    .map((days) => Temporal.PlainDate.from('2027-03-08').add({ days }).toString())
  const optional = fc.option(day, { nil: undefined })
  const season = fc
    .tuple(optional, optional)
    .filter(([from, to]) => (from ?? to) !== undefined && (from ?? '') <= (to ?? '9'))
    .map(([from, to]) => ({ ...(from && { from }), ...(to && { to }) }))
  const rule: fc.Arbitrary<PriceRule> = fc.record(
    { season, days: fc.subarray(EVERY_DAY, { minLength: 1 }), amount: fc.integer({ min: 1, max: 99 }) },
    { requiredKeys: ['amount'] },
  )

  test('[the price of a season] a time is of the day that clocks show when it begins, and the first rule counts', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 4 }),
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2027, 2, 6) / 60_000, max: Date.UTC(2027, 2, 22) / 60_000 }),
        (price_rules, zone, minute) => {
          const { business, ...rest } = businessWith([service('svc_cut', { price_rules })])
          const plan = planOf({ ...rest, business: { ...business, timezone: zone } }, 'svc_cut')
          if (!plan) throw new Error('There is no service')
          const start = minute * 60_000
          const shown = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone).toPlainDate()
          const isOn = ({ season, days }: PriceRule) =>
            (!days || days.includes(EVERY_DAY[shown.dayOfWeek - 1] ?? 'monday')) &&
            (!season?.from || Temporal.PlainDate.compare(season.from, shown) <= 0) &&
            (!season?.to || Temporal.PlainDate.compare(shown, season.to) <= 0)
          expect(slotAmount(plan, { start, picks: [] })).toBe(price_rules.find(isOn)?.amount ?? 7500)
        },
      ),
      { numRuns: 500 },
    )
  })
})

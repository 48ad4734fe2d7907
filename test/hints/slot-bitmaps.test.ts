import { describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import { rulerOf, startAt } from '../../src/domain/catalog/decode-slot-bitmap.ts'
import type { AvailabilityHint, AvailabilitySlotBitmap } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, type Shop, type Slot, testShop } from '../support/desk.ts'
import { queriedStarts, startsOf } from './starts.ts'

const { policies } = service('svc')
const window = (booking_window: object) => ({ policies: { ...policies, booking_window } })
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const

const definition = businessWith(
  [
    service('svc_cut', {
      resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'], selectable: true }],
      duration: { fixed: 'PT45M' },
      ...window({ min_advance: 'PT2H', max_advance: 'P90D', slot_interval: 'PT20M' }),
    }),
    service('svc_range', {
      duration: { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } },
      ...window({ min_advance: 'PT2H', max_advance: 'P90D', slot_interval: 'PT30M' }),
    }),
    service('svc_soon', window({ min_advance: 'PT2H', max_advance: 'P7D', slot_interval: 'PT60M' })),
    service('svc_yoga', {
      type: 'group',
      capacity: { max: 1 },
      sessions: [{ days: ['thursday'], starts: '16:00' }],
    }),
    service('svc_rare', {
      type: 'group',
      capacity: { max: 1 },
      sessions: [
        { days: ['thursday'], starts: '16:00', until: '2026-11-26' },
        { days: ['thursday'], starts: '16:00', from: '2027-02-04', until: '2027-02-04' },
      ],
      ...window({ min_advance: 'PT2H', max_advance: 'P90D' }),
    }),
    service('svc_never', {
      type: 'group',
      capacity: { max: 5 },
      sessions: [{ days: ['monday'], starts: '16:00', until: '2026-01-01' }],
    }),
    service('svc_bike', {
      type: 'rental',
      duration: { range: { min: 'P1D', max: 'P3D', step: 'P1D' } },
      resources: [{ type: 'equipment', options: ['bike'] }],
      ...window({ min_advance: 'PT2H', max_advance: 'P90D', slot_interval: 'PT60M' }),
    }),
    service('svc_lengths', {
      duration: { fixed: 'PT30M' },
      resources: [{ type: 'staff', options: ['staff_dan', 'staff_eva'], selectable: true }],
      duration_rules: [{ resources: ['staff_eva'], fixed: 'PT90M' }],
      ...window({ min_advance: 'PT2H', max_advance: 'P30D', slot_interval: 'PT30M' }),
    }),
    service('svc_many', {
      duration: { range: { min: 'PT15M', max: 'PT8H', step: 'PT15M' } },
      resources: [{ type: 'staff', options: ['staff_cy'], selectable: true }],
      ...window({ min_advance: 'PT2H', max_advance: 'P90D', slot_interval: 'PT5M' }),
    }),
  ],
  {
    hours: [{ days: [...weekdays], opens: '09:00', closes: '18:00' }],
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben', hours: [{ days: ['tuesday'], opens: '09:10', closes: '14:00' }] },
      { id: 'staff_cy', type: 'staff', name: 'Cy' },
      { id: 'staff_dan', type: 'staff', name: 'Dan', hours: [{ days: ['thursday'], opens: '09:00', closes: '12:00' }] },
      { id: 'staff_eva', type: 'staff', name: 'Eva', hours: [{ days: ['tuesday'], opens: '09:00', closes: '12:00' }] },
      { id: 'bike', type: 'equipment', name: 'Bike' },
    ],
  },
)

const nobody = { as: {} }
const newYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
const WEEKS = 8
const LAST_DAY = '2027-01-14'

function lastOf(bitmap: AvailabilitySlotBitmap): number {
  const ruler = rulerOf(bitmap)
  return ruler ? startAt(ruler, ruler.count - 1) : 0
}

async function later(shop: Shop, minutes = 1) {
  shop.minutesLater(minutes)
  await runHousekeeping(shop.runtime)
  // One run takes at most ten seconds. On a slow machine, this is not enough for all hints.
  for (let run = 0; run < 4; run++) await refreshHints(shop.runtime, shop.time.now)
}

const hintOf = async (desk: Desk, id: string): Promise<AvailabilityHint> =>
  (await desk.call('usp_services_get', { service_id: id }, nobody)).data.service.availability_hint

const daysOf = ({ start, end }: Slot) => `P${(Date.parse(end) - Date.parse(start)) / 86_400_000}D`

/** All starts of free slots, by duration, as the availability query tells them. */
const queried = (desk: Desk, id: string) =>
  queriedStarts(desk, { id, from: '2026-11-20', to: LAST_DAY }, id === 'svc_bike' ? daysOf : undefined)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    describe('the bitmaps of a hint', () => {
      test.each(['svc_cut', 'svc_range', 'svc_soon', 'svc_yoga', 'svc_bike'])(
        '[LIV-042] of %s have exactly the starts that can be booked, for each duration',
        async (id) => {
          await later(shop)
          for (const date of ['2026-11-24', '2026-11-26'])
            for (const slot of (await desk.slots(id, { start_date: date, end_date: date })).slice(0, 1))
              await desk.book(slot)
          await later(shop)
          const { slot_bitmaps = [] } = await hintOf(desk, id)
          const found = await queried(desk, id)
          expect(slot_bitmaps.map(({ duration }) => duration)).toEqual([...found.keys()].toSorted())
          for (const bitmap of slot_bitmaps) {
            const told = startsOf(bitmap)
            const until = ['svc_cut', 'svc_bike'].includes(id) ? lastOf(bitmap) : Number.POSITIVE_INFINITY
            expect(told.length).toBeGreaterThan(0)
            expect(told).toEqual(found.get(bitmap.duration)?.filter((start) => start <= until))
          }
        },
      )

      test('[LIV-041] have one ruler for each duration, and reach eight weeks ahead or to the end of the booking window', async () => {
        const lasts = async (id: string) =>
          (await hintOf(desk, id)).slot_bitmaps?.map((one) => startsOf(one).at(-1) ?? 0)
        const { slot_bitmaps = [] } = await hintOf(desk, 'svc_range')
        expect(slot_bitmaps.map(({ duration }) => duration)).toEqual(['PT30M', 'PT60M', 'PT90M'])
        for (const one of slot_bitmaps) {
          expect(one).toMatchObject({ encoding: 'roaring32-portable-base64', start_interval: 'PT30M' })
          expect(one.starts_at).toMatch(/^2026-11-20T09:30:00-05:00$/)
        }
        const end = shop.time.now.getTime() + WEEKS * 7 * 86_400_000
        for (const last of (await lasts('svc_range')) ?? []) {
          expect(last).toBeLessThan(end)
          expect(last).toBeGreaterThan(end - 2 * 86_400_000)
        }
        for (const last of (await lasts('svc_soon')) ?? [])
          expect(last).toBeLessThan(shop.time.now.getTime() + 7 * 86_400_000)
      })

      test('[LIV-041] cover seven days where those of fourteen days would be too large', async () => {
        const { slot_bitmaps = [] } = await hintOf(desk, 'svc_many')
        const begin = Math.min(...slot_bitmaps.map(({ starts_at }) => Date.parse(starts_at)))
        for (const bitmap of slot_bitmaps) {
          const { from, interval, count } = rulerOf(bitmap) ?? { from: 0, interval: 0, count: 0 }
          const days = (startAt({ from, interval }, count - 1) - begin) / 86_400_000
          expect(days).toBeGreaterThan(6)
          expect(days).toBeLessThan(7)
        }
      })

      test('[LIV-041] measure a rental in days', async () => {
        const { slot_bitmaps = [] } = await hintOf(desk, 'svc_bike')
        expect(slot_bitmaps.map(({ duration }) => duration)).toEqual(['P1D', 'P2D', 'P3D'])
      })

      test('[LIV-042] of a person with other hours are on a finer ruler', async () => {
        const [bitmap] = (await hintOf(desk, 'svc_cut')).slot_bitmaps ?? []
        expect(bitmap?.start_interval).toBe('PT10M')
      })

      test('[LIV-039] go with the day of the earliest start, over all durations', async () => {
        for (const id of ['svc_cut', 'svc_range', 'svc_soon', 'svc_yoga', 'svc_bike', 'svc_many', 'svc_lengths']) {
          const { slot_bitmaps = [], next_available_date } = await hintOf(desk, id)
          const first = Math.min(...slot_bitmaps.flatMap((one) => startsOf(one)))
          expect(next_available_date).toBe(newYork.format(first))
        }
      })

      test('[LIV-039] the day is that of a slower person who is free earlier', async () => {
        const { slot_bitmaps = [], next_available_date } = await hintOf(desk, 'svc_lengths')
        const firsts = slot_bitmaps.map((one) => [one.duration, newYork.format(startsOf(one)[0])])
        expect(firsts).toEqual([
          ['PT30M', '2026-11-26'],
          ['PT90M', '2026-11-24'],
        ])
        expect(next_available_date).toBe('2026-11-24')
      })

      test('[LIV-043] are valid for longer than the server takes to replace them', async () => {
        const { generated_at, valid_until = '' } = await hintOf(desk, 'svc_cut')
        expect(Date.parse(valid_until) - Date.parse(generated_at)).toBe(2 * 86_400_000)
      })

      test('[LIV-038] [LIV-040] are left out where no time is planned, with the day', async () => {
        const hint = await hintOf(desk, 'svc_never')
        expect(hint).toEqual({ summary: 'No times are planned at present.', generated_at: hint.generated_at })
      })

      test('a hint takes at most two thousand bytes, with as many durations as fit', async () => {
        for (const id of ['svc_cut', 'svc_range', 'svc_many'])
          expect(Buffer.byteLength(JSON.stringify(await hintOf(desk, id)))).toBeLessThanOrEqual(2_000)
        expect((await hintOf(desk, 'svc_many')).slot_bitmaps?.length).toBeGreaterThan(4)
      })
    })

    test('[LIV-038] bitmaps without a free start go without a day', async () => {
      for (let day = Date.parse('2026-11-20'); day <= Date.parse(LAST_DAY); day += 7 * 86_400_000) {
        const [start_date, end_date] = [day, day + 6 * 86_400_000].map((one) =>
          new Date(one).toISOString().slice(0, 10),
        )
        for (const slot of await desk.slots('svc_yoga', { start_date, end_date })) await desk.book(slot)
      }
      await later(shop)
      const { slot_bitmaps = [], ...hint } = await hintOf(desk, 'svc_yoga')
      expect(slot_bitmaps.map((one) => startsOf(one))).toEqual([[]])
      expect(hint).not.toHaveProperty('next_available_date')
      expect(hint.summary).toMatch(/^Fully booked/)
    })

    test('a hint names the first class with a place for one more, even if it is later than all bitmaps', async () => {
      const [slot] = await desk.slots('svc_rare', { start_date: '2026-11-26', end_date: '2026-11-26' })
      await desk.book(slot)
      await later(shop)
      const { summary, slot_bitmaps = [] } = await hintOf(desk, 'svc_rare')
      expect(summary).toBe('Fully booked until Thursday, Nov 26. The next free time is on Thursday, Feb 4.')
      expect(slot_bitmaps.map((one) => startsOf(one))).toEqual([[]])
    })

    test('a new booking moves the service in the feed, and after a day the new validity does', async () => {
      const moved = async (cursor: string) =>
        (await desk.call('usp_services_feed', { cursor, limit: 200 }, nobody)).data.items.map(
          ({ data }: { data: { id: string } }) => data.id,
        )
      const cursor = async () =>
        (await desk.call('usp_services_feed', { limit: 200 }, nobody)).data.pagination.next_cursor
      const before = await cursor()
      const [slot] = await desk.slots('svc_soon', { start_date: '2026-11-25', end_date: '2026-11-25' })
      await desk.book(slot)
      await later(shop)
      expect(await moved(before)).toEqual(['svc_soon'])
      const after = await cursor()
      await later(shop, 5 * 60)
      expect(await moved(after)).toEqual([])
      await later(shop, 19 * 60)
      expect((await moved(after)).toSorted()).toEqual(definition.services.map(({ id }) => id).toSorted())
    })
  },
)

import { describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import type { AvailabilityHint } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, type Shop, type Slot, testShop } from '../support/desk.ts'
import { queriedStarts, startsOf } from './starts.ts'

const { policies } = service('svc')
const window = {
  policies: { ...policies, booking_window: { min_advance: 'PT2H', max_advance: 'P12D', slot_interval: 'PT60M' } },
}
const night = ['23:00', '00:30', '02:30', '03:15']

const everyKind = [
  service('svc_fixed', window),
  service('svc_range', { duration: { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } }, ...window }),
  service('svc_class', {
    type: 'group',
    capacity: { max: 2 },
    sessions: night.map((starts) => ({
      days: ['monday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      starts,
    })),
    ...window,
  }),
  service('svc_visit', {
    type: 'field_service',
    channel: { type: 'at_buyer_location', service_area: 'Town' },
    travel_time: 'PT20M',
    ...window,
  }),
  service('svc_days', { type: 'rental', duration: { range: { min: 'P1D', max: 'P3D', step: 'P1D' } }, ...window }),
  service('svc_hours', {
    type: 'rental',
    duration: { range: { min: 'PT12H', max: 'PT36H', step: 'PT12H' } },
    ...window,
  }),
]

/** The zones, each with the date of a clock change. In Cairo, the clocks skip the hour after midnight. */
const changes: [zone: string, change: string, length: string][] = [
  ['America/New_York', '2027-03-14', '23 hours'],
  ['America/New_York', '2027-11-07', '25 hours'],
  ['Africa/Cairo', '2027-04-30', '23 hours, without its midnight'],
  ['Africa/Cairo', '2027-10-28', '25 hours, with midnight an hour later'],
]

const definitionIn = (timezone: string) => {
  const definition = businessWith(everyKind, {
    hours: [
      {
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        opens: '00:00',
        closes: '24:00',
      },
    ],
  })
  return { ...definition, business: { ...definition.business, timezone } }
}

const DAY = 86_400_000
const dateAfter = (date: string, days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

/** Each slot of a rental by the day ends at the local time of its start, or after a skipped hour. */
const daysOf = ({ start, end }: Slot) => `P${(Date.parse(end.slice(0, 10)) - Date.parse(start.slice(0, 10))) / DAY}D`

const hintOf = async (desk: Desk, id: string): Promise<AvailabilityHint> =>
  (await desk.call('usp_services_get', { service_id: id }, { as: {} })).data.service.availability_hint

async function at(shop: Shop, date: string) {
  shop.time.now = new Date(`${date}T12:00:00Z`)
  await runHousekeeping(shop.runtime)
  for (let run = 0; run < 4; run++) await refreshHints(shop.runtime, shop.time.now)
}

for (const zone of new Set(changes.map(([zone]) => zone)))
  await onBothDesks(
    () => testShop(definitionIn(zone)),
    (desk, shop) => {
      describe.each(changes.filter(([one]) => one === zone))('in %s, where %s has %s,', (_, change) => {
        test.each(everyKind.map(({ id }) => id))(
          '[LIV-042] the bitmaps of %s have exactly the starts that can be booked, for each duration',
          async (id) => {
            await at(shop, dateAfter(change, -4))
            const query = { id, from: dateAfter(change, -5), to: dateAfter(change, 9) }
            const later = dateAfter(change, 4)
            const [slot] = await desk.slots(id, { start_date: later, end_date: later })
            const delivery_address = { line1: '5 Elm Street', city: 'Town', country: 'US' }
            if (slot) await desk.book(slot, id === 'svc_visit' ? { delivery_address } : {})
            await at(shop, dateAfter(change, -4))
            const { slot_bitmaps = [], next_available_date } = await hintOf(desk, id)
            const found = await queriedStarts(desk, query, id === 'svc_days' ? daysOf : undefined)
            expect(slot_bitmaps.map(({ duration }) => duration)).toEqual([...found.keys()])
            for (const bitmap of slot_bitmaps) expect(startsOf(bitmap)).toEqual(found.get(bitmap.duration))
            const starts = [...found.values()].flat()
            expect(Math.max(...starts)).toBeGreaterThan(Date.parse(change) + 3 * DAY)
            const local = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Math.min(...starts))
            expect(next_available_date).toBe(local)
          },
        )
      })
    },
  )

import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { DAY_MS, dateIn, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { allSlots } from './pages.ts'
import { quietTimes } from './quiet-times.ts'
import { dateInZone, expectOffsets, offsetInZone, timezoneOf } from './zones.ts'

const needs = ['services.availability']
/**
 * Timezones with an offset of half an hour, far from each other. In most businesses, midnight of at least one zone is
 * within the working hours.
 */
const HALF_HOUR_ZONES = ['Asia/Kolkata', 'America/St_Johns', 'Australia/Adelaide']

const instantsOf = (slots: Slot[]) => slots.map(({ start, end }) => [Date.parse(start), Date.parse(end)])

export const availabilityZoneChecks = [
  check(
    'AVL-010 AVL-013',
    'A date in a query means a day in the timezone of the query, even if its offset has half an hour',
    async (c) => {
      const { service, slots: known } = await quietTimes(c, 'service')
      const first = Date.parse(known[0]?.start ?? '')
      const day = new Date(first + DAY_MS).toISOString().slice(0, 10)
      const [from, until] = [-2, 3].map((days) => new Date(Date.parse(day) + days * DAY_MS).toISOString())
      const around = await allSlots(c.anonymous, { service_id: service.id, start_date: from, end_date: until })
      for (const timezone of HALF_HOUR_ZONES) {
        const found = await allSlots(c.anonymous, { service_id: service.id, start_date: day, end_date: day, timezone })
        const ofDay = around.filter(({ start }) => dateInZone(Date.parse(start), timezone) === day)
        expectEqual(instantsOf(found), instantsOf(ofDay), `the starts and ends on ${day} in ${timezone}`)
        expectOffsets(found, timezone)
      }
    },
    { needs, once: true },
  ),
  check(
    'AVL-013',
    'Slots after a clock change have the new offset of the timezone in the query',
    async (c) => {
      const { query, slots } = await quietTimes(c, 'service', undefined, { limit: 50 })
      const last = Date.parse(slots.at(-1)?.start ?? '')
      const changing = [timezoneOf(c.target), ...Intl.supportedValuesOf('timeZone')].filter(
        (zone) => offsetInZone(Date.now(), zone) !== offsetInZone(last, zone),
      )
      const [timezone] = changing
      if (timezone === undefined) throw new Skip(`No timezone changes its clocks before ${dateIn(36)}.`)
      expectOffsets(await allSlots(c.anonymous, { ...query, timezone }), timezone)
    },
    { needs, once: true },
  ),
]

import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { readAll } from './pages.ts'
import { quietTimes } from './quiet-times.ts'
import { dateInZone, offsetInZone, statedOffset } from './zones.ts'

const needs = ['services.availability']
const DAY_MS = 86_400_000
/** Far from each other, and half an hour off: midnight of one of them is within the working hours of most businesses. */
const HALF_HOUR_ZONES = ['Asia/Kolkata', 'America/St_Johns', 'Australia/Adelaide']

const instantsOf = (slots: Slot[]) => slots.map(({ start, end }) => [Date.parse(start), Date.parse(end)])

function expectOffsets(slots: Slot[], zone: string): void {
  for (const time of slots.flatMap(({ start, end }) => [start, end]))
    expectEqual(statedOffset(time), offsetInZone(Date.parse(time), zone), `the minutes of offset of ${time}`)
}

async function slotsIn(c: CheckContext, input: object): Promise<Slot[]> {
  return (await readAll(c.anonymous, 'queryAvailability', { ...input })) as Slot[]
}

export const availabilityZoneChecks = [
  check(
    'AVL-010 AVL-013',
    'A date of a query is a day in the timezone of the query, also in a zone that is half an hour off',
    async (c) => {
      const { service, slots: known } = await quietTimes(c, 'service')
      const first = Date.parse(known[0]?.start ?? '')
      const day = new Date(first + DAY_MS).toISOString().slice(0, 10)
      const [from, until] = [-2, 3].map((days) => new Date(Date.parse(day) + days * DAY_MS).toISOString())
      const around = await slotsIn(c, { service_id: service.id, start_date: from, end_date: until })
      for (const timezone of HALF_HOUR_ZONES) {
        const found = await slotsIn(c, { service_id: service.id, start_date: day, end_date: day, timezone })
        const ofDay = around.filter(({ start }) => dateInZone(Date.parse(start), timezone) === day)
        expectEqual(instantsOf(found), instantsOf(ofDay), `the starts and ends on ${day} in ${timezone}`)
        expectOffsets(found, timezone)
      }
    },
    { needs, only: 'rest' },
  ),
  check(
    'AVL-013',
    'Slots after a clock change carry the new offset of the timezone of the query',
    async (c) => {
      const { query, slots } = await quietTimes(c, 'service', undefined, { limit: 50 })
      const business = expectText(c.target.business.timezone, 'the timezone of the business')
      const last = Date.parse(slots.at(-1)?.start ?? '')
      const changing = [business, ...Intl.supportedValuesOf('timeZone')].filter(
        (zone) => offsetInZone(Date.now(), zone) !== offsetInZone(last, zone),
      )
      const [timezone] = changing
      if (timezone === undefined) throw new Skip(`No zone changes its clocks until ${dateIn(36)}.`)
      expectOffsets(await slotsIn(c, { ...query, timezone }), timezone)
    },
    { needs, only: 'rest' },
  ),
]

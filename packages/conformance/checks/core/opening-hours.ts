import { expectEqual, expectList, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { readPage } from './pages.ts'
import { offsetInZone } from './zones.ts'

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MINUTES = 1440
const DAY_MS = 86_400_000
const WEEKS = 3

/** A time of the week, in minutes since the start of Sunday. */
type Minute = number
type Window = [opens: Minute, closes: Minute]

const minuteOf = (time: unknown) => {
  const [hours = 0, minutes = 0] = String(time).split(':').map(Number)
  return hours * 60 + minutes
}

function windowsOf(openingHours: unknown): Window[] {
  return expectList(openingHours, 'opening_hours').flatMap(({ day_of_week, opens, closes }) =>
    (Array.isArray(day_of_week) ? day_of_week : []).map((day): Window => {
      const from = DAY_NAMES.indexOf(String(day)) * DAY_MINUTES
      const [first, last] = [minuteOf(opens), minuteOf(closes)]
      return [from + first, from + last + (last <= first ? DAY_MINUTES : 0)]
    }),
  )
}

export const openingHoursChecks = [
  check(
    'AVL-043',
    'No weekday has slots outside the opening hours in each week',
    async (c) => {
      const timezone = expectText(c.target.business.timezone, 'the timezone of the business')
      const service = c.service('appointment at the business', ({ type }) => type === 'appointment')
      /** By weekday: the dates with slots, and whether all of them were inside the opening hours. */
      const seen = new Map<number, Map<string, boolean>>()
      for (let week = 0; week < WEEKS; week++) {
        const input = { service_id: service.id, start_date: dateIn(2 + 7 * week), end_date: dateIn(8 + 7 * week) }
        const { items, result } = await readPage(c.anonymous, 'queryAvailability', input, { limit: 200 })
        const windows = windowsOf(result.opening_hours)
        for (const slot of items as Slot[]) {
          const start = Date.parse(slot.start)
          const local = new Date(start + offsetInZone(start, timezone) * 60_000)
          const from = local.getUTCDay() * DAY_MINUTES + local.getUTCHours() * 60 + local.getUTCMinutes()
          const until = from + (Date.parse(slot.end) - start) / 60_000
          // A window of Saturday may reach into Sunday.
          const isOpen = [0, 7 * DAY_MINUTES].some((shift) =>
            windows.some(([opens, closes]) => opens <= from + shift && until + shift <= closes),
          )
          const dates = seen.get(local.getUTCDay()) ?? new Map<string, boolean>()
          const date = new Date(Math.floor(local.getTime() / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
          seen.set(local.getUTCDay(), dates.set(date, (dates.get(date) ?? true) && isOpen))
        }
      }
      if (seen.size === 0) throw new Skip(`${service.id} has no slots in the next weeks.`)
      // One date may have other hours, such as a holiday: the hours are those of a regular week.
      const outside = [...seen].filter(([, dates]) => dates.size > 1 && [...dates.values()].every((isOpen) => !isOpen))
      const names = outside.map(([day]) => DAY_NAMES[day])
      expectEqual(names, [], 'the weekdays with slots outside the opening hours')
    },
    { needs: ['services.availability'], only: 'rest' },
  ),
]

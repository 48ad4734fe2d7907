import { expectEqual, expectList } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { readPage } from './pages.ts'
import { offsetInZone, timezoneOf } from './zones.ts'

export const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MINUTES = 1440
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

/** Whether an opening window contains the whole time. A window that begins on Saturday may end on Sunday. */
const isOpen = (windows: Window[], from: Minute, until: Minute): boolean =>
  [0, 7 * DAY_MINUTES].some((shift) =>
    windows.some(([opens, closes]) => opens <= from + shift && until + shift <= closes),
  )

export const openingHoursChecks = [
  check(
    'AVL-043',
    'No weekday has slots outside its opening hours week after week',
    async (c) => {
      const timezone = timezoneOf(c.target)
      const service = c.service('appointment at the business', ({ type }) => type === 'appointment')
      const seen: { weekday: number; date: string; isOpen: boolean }[] = []
      for (let week = 0; week < WEEKS; week++) {
        const input = { service_id: service.id, start_date: dateIn(2 + 7 * week), end_date: dateIn(8 + 7 * week) }
        const { items, result } = await readPage(c.anonymous, 'queryAvailability', input, { limit: 200 })
        const windows = windowsOf(result.opening_hours)
        for (const slot of items as Slot[]) {
          const start = Date.parse(slot.start)
          const local = new Date(start + offsetInZone(start, timezone) * 60_000)
          const weekday = local.getUTCDay()
          const from = weekday * DAY_MINUTES + local.getUTCHours() * 60 + local.getUTCMinutes()
          const until = from + (Date.parse(slot.end) - start) / 60_000
          seen.push({ weekday, date: local.toISOString().slice(0, 10), isOpen: isOpen(windows, from, until) })
        }
      }
      if (seen.length === 0) throw new Skip(`${service.id} has no slots in the next weeks.`)
      // A single date may have special hours, such as a holiday. Therefore a weekday counts only if all its dates have
      // slots outside the opening hours.
      const outside = DAY_NAMES.filter((_, weekday) => {
        const slots = seen.filter((slot) => slot.weekday === weekday)
        const dates = new Set(slots.map(({ date }) => date))
        const datesOutside = new Set(slots.filter((slot) => !slot.isOpen).map(({ date }) => date))
        return dates.size > 1 && datesOutside.size === dates.size
      })
      expectEqual(outside, [], 'the weekdays with slots outside the opening hours')
    },
    { needs: ['services.availability'], once: true },
  ),
]

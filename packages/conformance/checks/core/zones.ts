import { expectEqual, expectText } from '../../run/expectations.ts'
import { DAY_MS, type Slot } from '../../target/free-slots.ts'
import type { Target } from '../../target/target.ts'

const MINUTE_MS = 60_000

export const timezoneOf = ({ business }: Target): string =>
  expectText(business.timezone, 'the timezone of the business')

/** Returns the date of an instant in a timezone, such as 2026-03-15. */
export function dateInZone(instant: number, timezone: string): string {
  return localTime(instant, timezone).slice(0, 10)
}

/** Returns the UTC offset of a timezone at an instant. The unit is minutes, and east of UTC is positive. */
export function offsetInZone(instant: number, timezone: string): number {
  const local = Date.parse(`${localTime(instant, timezone)}Z`)
  return Math.round((local - Math.floor(instant / 1000) * 1000) / 60_000)
}

/** Returns the UTC offset in the text of a date-time. The unit is minutes, and east of UTC is positive. */
function statedOffset(time: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(time) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Requires that the starts and ends of slots have the UTC offset of this timezone. */
export function expectOffsets(slots: Slot[], timezone: string): void {
  for (const time of slots.flatMap(({ start, end }) => [start, end]))
    expectEqual(statedOffset(time), offsetInZone(Date.parse(time), timezone), `the UTC offset of ${time} in minutes`)
}

/**
 * Finds the next changes of clocks in these timezones, within this number of days. Returns each instant once, with one
 * of its timezones.
 */
export function changesOfClocks(timezones: string[], daysAhead: number): { timezone: string; instant: number }[] {
  const from = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const until = from + daysAhead * DAY_MS
  const found = new Map<number, string>()
  for (const timezone of timezones) {
    if (offsetInZone(from, timezone) === offsetInZone(until, timezone)) continue
    let [before, after] = [from, until]
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS
      if (offsetInZone(middle, timezone) === offsetInZone(from, timezone)) before = middle
      else after = middle
    }
    if (!found.has(after)) found.set(after, timezone)
  }
  return [...found].map(([instant, timezone]) => ({ timezone, instant }))
}

function localTime(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant)
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

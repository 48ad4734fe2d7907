import { DAY } from '../../../infra/time/time-units.ts'
import { dateIn, daysLater, startOfDay } from '../../../infra/time/time-zone.ts'
import type { ScheduledTime } from '../generate-scheduled-times.ts'
import type { Plan } from '../service-scheduling-plan.ts'
import type { ChoiceTimes } from './cached-free-time-counts.ts'
import { StartsCollector } from './free-start-bits.ts'
import { addPart, type FreeCount, type Part, type PartsOfDays, partOf } from './free-times-by-day-part.ts'

/**
 * The coming days that an availability hint (a summary of free times) describes, as instants in milliseconds since
 * 1970. The text of the hint covers the days until `summaryEnd`. The bitmaps of free starts cover the days until `end`.
 */
export interface HintDays {
  from: number
  summaryEnd: number
  end: number
}

export const hintDays = (
  zone: string,
  today: string,
  { summary, all }: { summary: number; all: number },
): HintDays => ({
  from: startOfDay(zone, today),
  summaryEnd: startOfDay(zone, daysLater(today, summary)),
  end: startOfDay(zone, daysLater(today, all)),
})

/**
 * Counts the free and the full times of a service, for example with one chosen staff member. Callers must add the times
 * in order, earliest first.
 */
export class TimeCounter {
  readonly #plan: Pick<Plan, 'zone' | 'byTheDay'>
  readonly #summaryEnd: number
  readonly #days: PartsOfDays = new Map()
  readonly #starts: StartsCollector

  constructor(plan: Pick<Plan, 'zone' | 'byTheDay'>, { from, summaryEnd }: HintDays) {
    this.#plan = plan
    this.#summaryEnd = summaryEnd
    this.#starts = new StartsCollector(from)
  }

  add({ start, end }: Pick<ScheduledTime, 'start' | 'end'>, count: FreeCount): void {
    const { zone, byTheDay } = this.#plan
    const length = end - start
    // A rental of two days counts as 48 hours, even if a clock change makes a day longer or shorter.
    this.#starts.add(start, byTheDay ? Math.round(length / DAY) * DAY : length, count.free > 0)
    if (start >= this.#summaryEnd) return
    const { date, part } = momentAt(zone, start)
    const day = this.#days.get(date) ?? {}
    this.#days.set(date, day)
    addPart(day, part, count)
  }

  counts(): ChoiceTimes {
    return { days: this.#days, starts: this.#starts.byDuration() }
  }
}

let last: { zone: string; start: number; date: string; part: Part } | undefined

/**
 * Returns the date and the part of the day of an instant. The function caches its last result, because hundreds of
 * staff members may have a time with the same start.
 */
function momentAt(zone: string, start: number) {
  if (last?.start !== start || last.zone !== zone)
    last = { zone, start, date: dateIn(zone, start), part: partOf(zone, start) }
  return last
}

import { sumCounts } from './free-counts.ts'
import { type Day, type Part, parts } from './parts-of-days.ts'
import { listed, onPartOfWeekdays, onWeekdays, weekdayOf } from './weekdays.ts'

/** Share of free times. From this value on, a part of the week counts as usually free. */
const USUALLY_FREE_SHARE = 0.5

/** `Usually free on weekday mornings and on Saturdays.` */
export function weeklyPattern(days: readonly Day[]): string {
  const byWeekday = Map.groupBy(days, ({ date }) => weekdayOf(date))
  const free = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, ...usualParts(byWeekday.get(weekday) ?? []) }))
  const whole = free.filter((one) => one.usual.length > 0 && one.usual.length === one.offered.length)
  const phrases = [
    ...(whole.length > 0 ? [onWeekdays(whole.map(({ weekday }) => weekday))] : []),
    ...parts.flatMap((part) => {
      const some = free.filter((one) => !whole.includes(one) && one.usual.includes(part))
      return some.length > 0
        ? [
            onPartOfWeekdays(
              some.map(({ weekday }) => weekday),
              part,
            ),
          ]
        : []
    }),
  ]
  return phrases.length > 0 ? `Usually free ${listed(phrases)}.` : 'Little is free at any time of the week.'
}

function usualParts(days: readonly Day[]): { offered: Part[]; usual: Part[] } {
  const shares = parts.map((part) => ({ part, ...sumCounts(days.flatMap((day) => day.parts[part] ?? [])) }))
  const offered = shares.filter(({ all }) => all > 0)
  const usual = offered.filter(({ all, free }) => free / all >= USUALLY_FREE_SHARE)
  return { offered: offered.map(({ part }) => part), usual: usual.map(({ part }) => part) }
}

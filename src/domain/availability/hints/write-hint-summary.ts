import { exceptions } from './describe-fully-booked-days.ts'
import { type Day, isFull, type Part, parts, sumCounts } from './free-times-by-day-part.ts'
import { listed, longDateText, onPartOfWeekdays, onWeekdays, weekdayOf } from './weekday-phrases.ts'

/**
 * Describes in sentences when a service usually has free times. `days` contains the coming four weeks. `later` is the
 * first free day after these weeks. The text names `later` only if the coming weeks are full.
 */
export function summaryOf(days: readonly Day[], later: string | undefined): string {
  const first = days.findIndex((day) => !isFull(day))
  const date = days[first]?.date ?? later
  const full = days.slice(0, first < 0 ? undefined : first)
  const until = full.at(-1)
  const next = date && `The next free time is on ${longDateText(date)}.`
  const sentences = [
    ...(until
      ? [date ? `Fully booked until ${longDateText(until.date)}.` : 'Fully booked as far ahead as can be booked.']
      : []),
    ...(next ? [next] : []),
    ...(first < 0 ? [] : [weeklyPattern(days), ...exceptions(days.slice(first))]),
  ]
  return sentences.length > 0 ? sentences.join(' ') : 'No times are planned at present.'
}

/** A part of the week, such as Monday mornings, counts as usually free if at least this share of its times is free. */
const USUALLY_FREE_SHARE = 0.5

/** Writes a sentence such as `Usually free on weekday mornings and on Saturdays.` */
function weeklyPattern(days: readonly Day[]): string {
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

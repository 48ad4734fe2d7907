import { type Day, isFull, isNearlyFull } from './free-times-by-day-part.ts'
import { listed, plural, shortDateText, weekdayOf } from './weekday-phrases.ts'

/**
 * If at least this many days in a row are full or nearly full, the availability hint (a summary of free times) names
 * their dates. For fewer days, it can name their weekday.
 */
const LONG_STRETCH_DAYS = 3
const MAX_NAMED_RANGES = 3

/**
 * Writes sentences about full days, such as `Saturdays are nearly full until Dec 12. Fully booked on Nov 26 and from
 * Dec 1 to Dec 3.`
 */
export function exceptions(days: readonly Day[]): string[] {
  const isScarce = (day: Day) => isNearlyFull(day) && !isFull(day)
  const long = [...stretches(days, isFull), ...stretches(days, isScarce)].filter(
    ({ length }) => length >= LONG_STRETCH_DAYS,
  )
  const runs = weekdayRuns(days.filter((day) => !long.some((range) => range.includes(day))))
  const isListed = (day: Day) => runs.some((run) => run.includes(day))
  return [
    ...rangesText(
      'Fully booked',
      stretches(days, (day) => isFull(day) && !isListed(day)),
    ),
    ...rangesText(
      'Nearly full',
      stretches(days, (day) => isScarce(day) && !isListed(day)),
    ),
    ...runs.map(runNamed),
  ]
}

/**
 * For each weekday, such as Saturday, lists the coming days that are full or nearly full. The list ends before the
 * first Saturday (or other weekday) with many free times. The function omits weekdays with fewer than two listed days.
 */
const weekdayRuns = (days: readonly Day[]): Day[][] =>
  [...Map.groupBy(days, ({ date }) => weekdayOf(date))]
    .sort(([one], [other]) => one - other)
    .map(([, same]) => leadingFullDays(same))
    .filter(({ length }) => length > 1)

function leadingFullDays(days: Day[]): Day[] {
  const first = days.findIndex((day) => !isNearlyFull(day))
  return first < 0 ? days : days.slice(0, first)
}

function runNamed(run: readonly Day[]): string {
  const [last] = run.slice(-1)
  if (!last) return ''
  const how = run.every(isFull) ? 'fully booked' : 'nearly full'
  return `${plural(weekdayOf(last.date))} are ${how} until ${shortDateText(last.date)}.`
}

/**
 * Groups consecutive days that the function `which` accepts. `days` contains only days with times. Therefore a day off
 * does not interrupt a group.
 */
function stretches(days: readonly Day[], which: (day: Day) => boolean): Day[][] {
  const found: Day[][] = []
  for (const [index, day] of days.entries()) {
    const last = found.at(-1)
    if (!which(day)) continue
    if (last && last.at(-1) === days[index - 1]) last.push(day)
    else found.push([day])
  }
  return found
}

function rangesText(how: string, found: readonly Day[][]): string[] {
  if (found.length === 0) return []
  const phrases = found.slice(0, MAX_NAMED_RANGES).map((range) => {
    const [first = '', last = first] = [range[0], range.at(-1)].map((day) => day && shortDateText(day.date))
    return first === last ? `on ${first}` : `from ${first} to ${last}`
  })
  const more = found.length - phrases.length
  return [`${how} ${listed([...phrases, ...(more > 0 ? [`at ${more} later times`] : [])])}.`]
}

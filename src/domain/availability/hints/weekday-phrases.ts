import { dateFormat } from '../../../infra/util/cached-intl-formatters.ts'

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The weekday of a date as a number from 0 (Monday) to 6 (Sunday). */
export const weekdayOf = (date: string): number => (new Date(date).getUTCDay() + 6) % 7

export const plural = (weekday: number): string => `${NAMES[weekday]}s`

/** Joins words into a list such as `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ')

const isRun = (weekdays: readonly number[]) => weekdays.every((one, index) => one === (weekdays[0] ?? 0) + index)

/** A phrase for some weekdays. Examples: `on weekdays`, `from Tuesday to Saturday`, `on Mondays and Fridays`. */
export function onWeekdays(weekdays: readonly number[]): string {
  const key = weekdays.join('')
  if (key === '0123456') return 'every day'
  if (key === '01234') return 'on weekdays'
  if (key === '56') return 'on weekends'
  const [first = 0, last = 0] = [weekdays[0], weekdays.at(-1)]
  if (weekdays.length > 2 && isRun(weekdays)) return `from ${NAMES[first]} to ${NAMES[last]}`
  return `on ${listed(weekdays.map(plural))}`
}

/** A phrase for one part of some weekdays. Examples: `on weekday mornings`, `on Tuesday to Saturday evenings`. */
export function onPartOfWeekdays(weekdays: readonly number[], part: string): string {
  const key = weekdays.join('')
  if (key === '0123456') return `in the ${part}s`
  if (key === '01234') return `on weekday ${part}s`
  if (key === '56') return `on weekend ${part}s`
  const names = weekdays.map((one) => NAMES[one] ?? '')
  const days = names.length > 2 && isRun(weekdays) ? `${names[0]} to ${names.at(-1)}` : listed(names)
  return `on ${days} ${part}s`
}

const format = (options: Intl.DateTimeFormatOptions) => dateFormat('en-US', { ...options, timeZone: 'UTC' })
const long = format({ weekday: 'long', month: 'short', day: 'numeric' })
const short = format({ month: 'short', day: 'numeric' })

/** Writes a date such as `Tuesday, Nov 24`. */
export const longDateText = (date: string): string => long.format(new Date(date))

/** Writes a date such as `Nov 24`. */
export const shortDateText = (date: string): string => short.format(new Date(date))

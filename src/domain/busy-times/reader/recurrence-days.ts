import { DAY } from '../../../infra/time/time-units.ts'
import { isSubDaily, type RecurrenceRule } from './recurrence-rule.ts'

/** Returns the first day of the period that contains the time, such as the first day of its month. */
export function firstDay(rule: RecurrenceRule, time: number): number {
  const day = Math.floor(time / DAY)
  const date = new Date(day * DAY)
  if (rule.freq === 'WEEKLY') return day - weekdayFrom(day, rule.weekStart)
  if (rule.freq === 'MONTHLY') return day - date.getUTCDate() + 1
  if (rule.freq !== 'YEARLY') return day
  const newYear = dayNumber(date.getUTCFullYear(), 0, 1)
  // The first week of a year can begin in the year before, and its last week can end in the next year.
  return rule.byWeekNo.length > 0 ? firstWeek(date.getUTCFullYear() - 1, rule.weekStart) : newYear
}

/** Returns a number that identifies the period of the day: its week, its month or its year. */
export function periodOf(rule: RecurrenceRule, day: number): number {
  if (rule.freq === 'DAILY' || isSubDaily(rule)) return day
  if (rule.freq === 'WEEKLY') return day - weekdayFrom(day, rule.weekStart)
  const date = new Date(day * DAY)
  if (rule.freq === 'MONTHLY') return date.getUTCFullYear() * 12 + date.getUTCMonth()
  return rule.byWeekNo.length > 0 ? weekOf(day, rule.weekStart).year : date.getUTCFullYear()
}

/** Returns the function that tells whether a day (counted since 1970) matches the rule. */
export function dayMatcher(rule: RecurrenceRule, start: number): (day: number) => boolean {
  const { freq, interval, weekStart, byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = rule
  const first = Math.floor(start / DAY)
  const firstDate = new Date(first * DAY)
  const [firstYear, firstMonth, firstOfMonth] = [
    firstDate.getUTCFullYear(),
    firstDate.getUTCMonth(),
    firstDate.getUTCDate(),
  ]
  const hasDays = byMonthDay.length + byYearDay.length + byDay.length + byWeekNo.length > 0
  const firstWeekStart = first - weekdayFrom(first, weekStart)
  const isInPeriod = (day: number, year: number, month: number): boolean => {
    if (freq === 'DAILY') return (day - first) % interval === 0
    if (freq === 'WEEKLY') return ((day - weekdayFrom(day, weekStart) - firstWeekStart) / 7) % interval === 0
    if (freq === 'MONTHLY') return ((year - firstYear) * 12 + month - firstMonth) % interval === 0
    if (freq === 'YEARLY') return (year - firstYear) % interval === 0
    return true
  }
  return (day) => {
    const date = new Date(day * DAY)
    const [month, ofMonth] = [date.getUTCMonth(), date.getUTCDate()]
    const week = byWeekNo.length > 0 ? weekOf(day, weekStart) : undefined
    const year = freq === 'YEARLY' && week ? week.year : date.getUTCFullYear()
    if (!isInPeriod(day, year, month)) return false
    if (byMonth.length > 0 && !byMonth.includes(month + 1)) return false
    if (byMonthDay.length > 0) {
      const length = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
      if (!byMonthDay.includes(ofMonth) && !byMonthDay.includes(ofMonth - length - 1)) return false
    }
    if (byYearDay.length > 0) {
      const newYear = dayNumber(date.getUTCFullYear(), 0, 1)
      const length = dayNumber(date.getUTCFullYear() + 1, 0, 1) - newYear
      const ofYear = day - newYear + 1
      if (!byYearDay.includes(ofYear) && !byYearDay.includes(ofYear - length - 1)) return false
    }
    if (week && !byWeekNo.includes(week.number) && !byWeekNo.includes(week.number - week.last - 1)) return false
    if (byDay.length > 0) return byDay.some((one) => isWeekday(one, day, date, rule))
    if (isSubDaily(rule) || freq === 'DAILY') return true
    if (freq === 'WEEKLY' || (week && byMonthDay.length + byYearDay.length === 0))
      return weekdayFrom(day, 0) === weekdayFrom(first, 0)
    if (hasDays) return true
    return ofMonth === firstOfMonth && (freq === 'MONTHLY' || byMonth.length > 0 || month === firstMonth)
  }
}

/** Whether the day is this weekday. With a number, the day must be such as the second Monday of its month or year. */
function isWeekday(
  { weekday, nth }: RecurrenceRule['byDay'][number],
  day: number,
  date: Date,
  { freq, byMonth, byWeekNo }: RecurrenceRule,
): boolean {
  if (weekdayFrom(day, 0) !== weekday) return false
  const isOfMonth = freq === 'MONTHLY' || (freq === 'YEARLY' && byMonth.length > 0)
  if (nth === 0 || byWeekNo.length > 0 || !(isOfMonth || freq === 'YEARLY')) return true
  const year = date.getUTCFullYear()
  const [begin, end] = isOfMonth
    ? [dayNumber(year, date.getUTCMonth(), 1), dayNumber(year, date.getUTCMonth() + 1, 1)]
    : [dayNumber(year, 0, 1), dayNumber(year + 1, 0, 1)]
  return nth > 0 ? Math.floor((day - begin) / 7) === nth - 1 : Math.floor((end - 1 - day) / 7) === -nth - 1
}

function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime() / DAY
}

/** Returns how many days after the weekday `from` the day is. Day 0 (January 1, 1970) was a Thursday. */
const weekdayFrom = (day: number, from: number): number => (((day + 4 - from) % 7) + 7) % 7

/** Returns the first day of the first week of a year: the first week with at least four days in the year. */
function firstWeek(year: number, weekStart: number): number {
  const newYear = dayNumber(year, 0, 1)
  const weekday = weekdayFrom(newYear, weekStart)
  return weekday <= 3 ? newYear - weekday : newYear - weekday + 7
}

function weekOf(day: number, weekStart: number): { year: number; number: number; last: number } {
  const calendarYear = new Date(day * DAY).getUTCFullYear()
  const year =
    day >= firstWeek(calendarYear + 1, weekStart)
      ? calendarYear + 1
      : day < firstWeek(calendarYear, weekStart)
        ? calendarYear - 1
        : calendarYear
  const begin = firstWeek(year, weekStart)
  return {
    year,
    number: Math.floor((day - begin) / 7) + 1,
    last: (firstWeek(year + 1, weekStart) - begin) / 7,
  }
}

import { EventError } from './event-error.ts'

/**
 * A recurrence rule (RFC 5545). All times are local times in milliseconds, as if they were UTC, so a rule needs no time
 * zone.
 */
export interface RecurrenceRule {
  freq: Freq
  interval: number
  count: number | undefined
  /** The last possible start. If the rule ends with a day, this is the last second of the day. */
  until: number | undefined
  weekStart: number
  byMonth: number[]
  byMonthDay: number[]
  byYearDay: number[]
  byWeekNo: number[]
  byDay: { weekday: number; nth: number }[]
  byHour: number[]
  byMinute: number[]
  bySecond: number[]
  bySetPos: number[]
}

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
type Freq = (typeof FREQUENCIES)[number]

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/**
 * Parses a rule such as `FREQ=WEEKLY;BYDAY=MO`. `localTime` converts the end of the rule to the local time of the
 * event.
 */
export function parseRule(text: string, localTime: (until: string) => number): RecurrenceRule {
  const parts = new Map(text.trim().toUpperCase().split(';').filter(Boolean).map(namedPart))
  const freq = FREQUENCIES.find((one) => one === parts.get('FREQ'))
  if (!freq || parts.has('RSCALE')) throw new EventError('rule')
  const numbers = (name: string, least: number, most: number) => numbersOf(parts.get(name), { least, most })
  const [interval = 1, ...intervals] = numbers('INTERVAL', 1, 1_000_000)
  const [count, ...counts] = numbers('COUNT', 1, 1_000_000_000)
  if (intervals.length + counts.length > 0) throw new EventError('rule')
  const until = parts.get('UNTIL')
  return {
    freq,
    interval,
    count,
    until: until === undefined ? undefined : localTime(until),
    weekStart: weekdayOf(parts.get('WKST') ?? 'MO'),
    byMonth: numbers('BYMONTH', 1, 12),
    byMonthDay: numbers('BYMONTHDAY', -31, 31),
    byYearDay: numbers('BYYEARDAY', -366, 366),
    byWeekNo: numbers('BYWEEKNO', -53, 53),
    byDay: parts.get('BYDAY')?.split(',').map(dayOf) ?? [],
    byHour: numbers('BYHOUR', 0, 23),
    byMinute: numbers('BYMINUTE', 0, 59),
    bySecond: numbers('BYSECOND', 0, 59),
    bySetPos: numbers('BYSETPOS', -366, 366),
  }
}

function namedPart(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new EventError('rule')
  return [text.slice(0, at), text.slice(at + 1)]
}

function numbersOf(text: string | undefined, { least, most }: { least: number; most: number }): number[] {
  if (text === undefined) return []
  const numbers = text.split(',').map((one) => (/^[+-]?\d{1,10}$/.test(one) ? Number(one) : Number.NaN))
  const isWrong = (one: number) => !(one >= least && one <= most) || (least < 0 && one === 0)
  if (numbers.length > 400 || numbers.some(isWrong)) throw new EventError('rule')
  return [...new Set(numbers)].sort((one, other) => one - other)
}

function weekdayOf(name: string): number {
  const weekday = WEEKDAYS.indexOf(name)
  if (weekday < 0) throw new EventError('rule')
  return weekday
}

function dayOf(text: string): RecurrenceRule['byDay'][number] {
  const [, nth = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  return { weekday: weekdayOf(name), nth: Number(nth) }
}

export const isSubDaily = ({ freq }: RecurrenceRule) => freq === 'HOURLY' || freq === 'MINUTELY' || freq === 'SECONDLY'

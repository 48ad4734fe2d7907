import { DAY, HOUR, MINUTE, SECOND } from '../../../infra/time/time-units.ts'
import { EventError } from './event-error.ts'
import { dayMatcher, firstDay, periodOf } from './recurrence-days.ts'
import { isSubDaily, type RecurrenceRule } from './recurrence-rule.ts'

/** The maximum number of times of one rule in a window. An event every hour has 9,600 times in 400 days. */
const MAX_TIMES = 10_000

/**
 * Yields the starts of a repeating event from `from` to `to`, in their order. The start of the event is always the
 * first time, even if it does not match the rule.
 */
export function* timesOfRule(rule: RecurrenceRule, start: number, [from, to]: readonly [number, number]) {
  const until = Math.min(rule.until ?? Number.POSITIVE_INFINITY, to)
  let found = 1
  let yielded = 0
  if (start >= from && start <= to) yield start
  if (rule.count === 1) return
  // A rule that counts its times must begin at its start. Another rule begins shortly before the wanted times.
  const begin = rule.count === undefined ? Math.max(start, from) : start
  for (const time of candidates(rule, start, begin, until)) {
    if (time > until) return
    if (time <= start) continue
    if (time >= from) {
      if (++yielded > MAX_TIMES) throw new EventError('too many times')
      yield time
    }
    if (++found === rule.count) return
  }
}

/** Yields the times that match the rule in their order. The first times can be before `begin`. */
function* candidates(rule: RecurrenceRule, start: number, begin: number, until: number): Generator<number> {
  if (isSubDaily(rule)) return yield* subDailyTimes(rule, start, begin, until)
  const times = timesOfDay(rule, start)
  const matches = dayMatcher(rule, start)
  let period: number[] = []
  let current: number | undefined
  const flush = () => {
    const selected = rule.bySetPos.length > 0 ? atPositions(period, rule.bySetPos) : period
    period = []
    return selected
  }
  for (let day = firstDay(rule, begin); day * DAY <= until + 400 * DAY; day++) {
    const key = periodOf(rule, day)
    if (key !== current) {
      yield* flush()
      current = key
      if (day * DAY > until) return
    }
    if (matches(day)) for (const time of times) period.push(day * DAY + time)
    if (period.length > MAX_TIMES) throw new EventError('too many times')
  }
  yield* flush()
}

function atPositions(times: readonly number[], positions: readonly number[]): number[] {
  const chosen = positions.flatMap((nth) => times.at(nth > 0 ? nth - 1 : nth) ?? [])
  return [...new Set(chosen)].sort((one, other) => one - other)
}

/** Returns the times of the day at which the event begins, in milliseconds since midnight. */
function timesOfDay({ byHour, byMinute, bySecond }: RecurrenceRule, start: number): number[] {
  const time = start - Math.floor(start / DAY) * DAY
  const hours = byHour.length > 0 ? byHour : [Math.floor(time / HOUR)]
  const minutes = byMinute.length > 0 ? byMinute : [Math.floor(time / MINUTE) % 60]
  const seconds = bySecond.length > 0 ? bySecond : [Math.floor(time / SECOND) % 60]
  if (hours.length * minutes.length * seconds.length > MAX_TIMES) throw new EventError('too many times')
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * HOUR + minute * MINUTE + second * SECOND)),
  )
}

/**
 * Yields the times of a rule that repeats within a day. The number of steps is limited, because such a rule can have
 * millions of times.
 */
function* subDailyTimes(rule: RecurrenceRule, start: number, begin: number, until: number): Generator<number> {
  if (rule.bySetPos.length > 0) throw new EventError('rule')
  const unit = rule.freq === 'HOURLY' ? HOUR : rule.freq === 'MINUTELY' ? MINUTE : SECOND
  const step = unit * rule.interval
  const base = Math.floor(start / unit) * unit
  const matches = dayMatcher(rule, start)
  const [minutes, seconds] = [[...rule.byMinute], [...rule.bySecond]]
  const inHour = rule.freq === 'HOURLY' ? (minutes.length > 0 ? minutes : [Math.floor(start / MINUTE) % 60]) : [0]
  const inMinute = rule.freq === 'SECONDLY' ? [0] : seconds.length > 0 ? seconds : [Math.floor(start / SECOND) % 60]
  let steps = 0
  for (let at = base + Math.floor((begin - base) / step) * step; at <= until; at += step) {
    if (++steps > 10 * MAX_TIMES) throw new EventError('too many times')
    const day = Math.floor(at / DAY)
    const [hour, minute, second] = [HOUR, MINUTE, SECOND].map((one) => Math.floor((at - day * DAY) / one))
    if (!matches(day) || !isIn(rule.byHour, hour)) continue
    if (rule.freq !== 'HOURLY' && !isIn(minutes, Number(minute) % 60)) continue
    if (rule.freq === 'SECONDLY' && !isIn(seconds, Number(second) % 60)) continue
    for (const one of inHour) for (const other of inMinute) yield at + one * MINUTE + other * SECOND
  }
}

const isIn = (list: readonly number[], value: number | undefined) =>
  list.length === 0 || (value !== undefined && list.includes(value))

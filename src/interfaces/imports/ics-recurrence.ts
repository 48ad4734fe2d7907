import { RRuleTemporal } from 'rrule-temporal'
import { isRule } from '../../domain/definition/check-recurrence-rule.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { dateIn, icsTimestamp, instantOf, offsetAt } from '../../infra/time/time-zone.ts'
import type { Property } from './parse-ics-lines.ts'
import { instantOfProperty, UnreadableEventError } from './parse-ics-times.ts'
import { propertyOf } from './read-ics-event.ts'
import type { IcsEvent } from './split-ics-events.ts'

/**
 * The number of milliseconds after the current time until which the import reads the times of a repeating calendar
 * event.
 */
const READ_AHEAD_MS = 365 * DAY
/**
 * The maximum number of times that the import reads from one repeating event. Usual events in the calendar of a
 * business repeat less often.
 */
const MAX_TIMES = 5_000

export const EXPORT_SINGLE_EVENTS = 'Export its times as events of their own.'

export interface Recurrence {
  starts: number[]
  /**
   * The number of exceptions (EXDATE) that match no time of the repeating event. An exception removes one time, or all
   * times on one day.
   */
  unmatchedRemovals: number
  /**
   * If the repeating event continues beyond the time limit of the import, this is the last day that the import reads,
   * as `YYYY-MM-DD`. Otherwise undefined.
   */
  readUntil: string | undefined
}

/**
 * Lists the times of a repeating calendar event. The import applies the recurrence rule in local time, so that the
 * event keeps its local time when summer time begins or ends.
 */
export function recurrenceOf(event: IcsEvent, { first, zone }: { first: number; zone: string }, now: Date): Recurrence {
  if (propertyOf(event, 'EXRULE'))
    throw new UnreadableEventError(`It leaves out times by a rule. ${EXPORT_SINGLE_EVENTS}`)
  const horizon = Math.max(first, now.getTime() + READ_AHEAD_MS)
  const rule = propertyOf(event, 'RRULE')
  const { times, goesOn } = rule ? timesByRule(rule, zone, [first, horizon]) : { times: [first], goesOn: false }
  const all = new Set([...times, ...timesIn(event, 'RDATE', zone)])
  if (all.size > MAX_TIMES)
    throw new UnreadableEventError(`It repeats more than ${MAX_TIMES} times. ${EXPORT_SINGLE_EVENTS}`)
  const removed = removedTimes(event, zone)
  const starts = [...all].filter((time) => !removed.has(time)).sort((one, other) => one - other)
  return {
    starts,
    unmatchedRemovals: removed.elsewhere(all, horizon),
    readUntil: goesOn ? dateIn(zone, horizon) : undefined,
  }
}

function timesByRule({ value }: Property, zone: string, range: [first: number, horizon: number]) {
  const shown = (instant: number) => instant + offsetAt(zone, instant)
  const [from = 0, last = 0] = range.map(shown)
  const rrule = value
    .trim()
    .replace(/UNTIL=(\w+)/i, (_, until: string) => `UNTIL=${icsTimestamp(new Date(untilShown(until, shown)))}`)
  const found = isRule(rrule, dateIn('UTC', from)) ? timesOfRule(rrule, from, last) : undefined
  if (!found) throw new UnreadableEventError(`It repeats by a rule that is not known here. ${EXPORT_SINGLE_EVENTS}`)
  const times = found.filter((time) => time <= last)
  return { times: times.map((time) => instantOf(zone, time)), goesOn: times.length < found.length }
}

/**
 * Lists the times of a recurrence rule up to the first time after `last`. Returns undefined if the recurrence library
 * throws an error, for example because no time matches the rule.
 */
function timesOfRule(rrule: string, from: number, last: number): number[] | undefined {
  const start = icsTimestamp(new Date(from))
  const rule = new RRuleTemporal({ rruleString: `DTSTART:${start}\nRRULE:${rrule}`, includeDtstart: true })
  const times: number[] = []
  try {
    rule.all(({ epochMilliseconds: time }, nth) => {
      times.push(time)
      return time <= last && nth < MAX_TIMES
    })
    return times
  } catch {
    return undefined
  }
}

/**
 * Converts UNTIL (the end of a recurrence rule) to local time. In the file, UNTIL is a UTC time, a local time, or a
 * day. If UNTIL is a day, the rule includes all times on this day.
 */
function untilShown(until: string, shown: (instant: number) => number): number {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})Z?)?$/i.exec(until) ?? []
  const [hour, minute, second] = [0, 2, 4].map((at) => Number((time ?? '235959').slice(at, at + 2)))
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute, second)
  if (Number.isNaN(at)) throw new UnreadableEventError(`It repeats until ${until.slice(0, 60)}, which is no moment.`)
  return /Z$/i.test(until) ? shown(at) : at
}

const isOfDays = ({ parameters: { VALUE } }: Property) => VALUE === 'DATE'

const valuesIn = ({ ownProperties }: IcsEvent, wanted: string): Property[] =>
  ownProperties
    .filter(({ name }) => name === wanted)
    .flatMap((property) => property.value.split(',').map((value) => ({ ...property, value: value.trim() })))

const timesIn = (event: IcsEvent, wanted: string, zone: string): number[] =>
  valuesIn(event, wanted).map((value) => instantOfProperty(value, zone))

/**
 * Finds the times that the exceptions (EXDATE) remove from a repeating event. If an exception is a day, it removes all
 * times on this day.
 */
function removedTimes(event: IcsEvent, zone: string) {
  const values = valuesIn(event, 'EXDATE')
  const times = new Set(values.filter((one) => !isOfDays(one)).map((one) => instantOfProperty(one, zone)))
  const days = new Set(values.filter(isOfDays).map(({ value }) => value))
  const dayOf = (time: number) => dateIn(zone, time).replaceAll('-', '')
  return {
    has: (time: number) => times.has(time) || days.has(dayOf(time)),
    /** Counts the exceptions (EXDATE) that match no time of the repeating event. Ignores exceptions after `until`. */
    elsewhere(all: ReadonlySet<number>, until: number): number {
      const daysWithTimes = new Set([...all].map(dayOf))
      const past = [...times].filter((time) => time <= until && !all.has(time))
      return past.length + [...days].filter((day) => day <= dayOf(until) && !daysWithTimes.has(day)).length
    },
  }
}

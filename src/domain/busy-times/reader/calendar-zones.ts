import { DAY, HOUR, MINUTE, SECOND } from '../../../infra/time/time-units.ts'
import { instantOf, isZone, offsetAt } from '../../../infra/time/time-zone.ts'
import { lowerBound } from '../../../infra/util/binary-search.ts'
import { type Component, propertyOf } from './calendar-lines.ts'
import { localTimeOf } from './calendar-values.ts'
import { EventError } from './event-error.ts'
import { parseRule } from './recurrence-rule.ts'
import { timesOfRule } from './recurrence-times.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

/**
 * A time zone: converts local times (in milliseconds, as if they were UTC) to instants, and instants to local times.
 */
export interface Zone {
  instantOf(local: number): number
  localOf(instant: number): number
}

export const UTC: Zone = { instantOf: (local) => local, localOf: (instant) => instant }

export const namedZone = (name: string): Zone => ({
  instantOf: (local) => instantOf(name, local),
  localOf: (instant) => instant + offsetAt(name, instant),
})

/**
 * The time zones of one calendar file. The name of a zone in the IANA database means this zone. Any other name means
 * the zone that the file defines, or a zone of Windows. An unknown name means the zone of the business.
 */
export class CalendarZones {
  readonly #own: Zone
  readonly #defined = new Map<string, Zone>()
  readonly #known = new Map<string, Zone>()

  constructor(businessZone: string) {
    this.#own = namedZone(businessZone)
  }

  get ofBusiness(): Zone {
    return this.#own
  }

  define(zone: Component, parts: readonly Component[], until: number): void {
    const name = propertyOf(zone, 'TZID')?.value.trim()
    if (name === undefined || this.#defined.size >= MAX_ZONES || isZone(name)) return
    try {
      const defined = definedZone(parts, until)
      if (defined) this.#defined.set(name, defined)
    } catch (error) {
      if (!(error instanceof EventError)) throw error
    }
  }

  named(name: string): Zone {
    const known = this.#known.get(name) ?? this.#find(name)
    if (this.#known.size < MAX_ZONES) this.#known.set(name, known)
    return known
  }

  #find(name: string): Zone {
    if (isZone(name)) return namedZone(name)
    const defined = this.#defined.get(name)
    if (defined) return defined
    // Some programs put their own name before the name of the zone, such as /mozilla.org/20050126_1/Europe/Berlin.
    const words = name.split('/')
    const end = [3, 2].map((count) => words.slice(-count).join('/')).find((one) => one !== name && isZone(one))
    const found = WINDOWS_ZONES.get(name) ?? end
    return found === undefined ? this.#own : namedZone(found)
  }
}

const MAX_ZONES = 200
/** The maximum number of clock changes that the server computes for one zone. */
const MAX_CHANGES = 5_000

interface ClockChange {
  at: number
  before: number
  after: number
}

/** The zone that a file defines (VTIMEZONE) by the rules of its clock changes. */
function definedZone(parts: readonly Component[], until: number): Zone | undefined {
  const changes = parts.flatMap((part) => clockChanges(part, until)).sort((one, other) => one.at - other.at)
  const [first] = changes
  if (!first) return undefined
  const offset = (instant: number): number => {
    const begun = lowerBound(changes.length, (nth) => (changes[nth]?.at ?? 0) <= instant)
    return changes[begun - 1]?.after ?? first.before
  }
  return {
    localOf: (instant) => instant + offset(instant),
    // As for the zones of the database: a skipped local time is moved forward, and of two instants the first counts.
    instantOf(local) {
      const [before, after] = [offset(local - DAY), offset(local + DAY)].map((one) => local - one) as [number, number]
      if (before === after || before + offset(before) === local) return before
      return after + offset(after) === local ? after : before
    },
  }
}

function clockChanges(part: Component, until: number): ClockChange[] {
  const start = propertyOf(part, 'DTSTART')
  const [before, after] = [offsetOf(part, 'TZOFFSETFROM'), offsetOf(part, 'TZOFFSETTO')]
  if (!start) throw new EventError('time zone')
  const first = localTimeOf(start.value).local
  const times = new Set([first])
  const rule = propertyOf(part, 'RRULE')
  const toLocal = (text: string) => {
    const { local, isUtc } = localTimeOf(text)
    return isUtc ? local + before : local
  }
  if (rule)
    for (const time of timesOfRule(parseRule(rule.value, toLocal), first, [first, until])) {
      times.add(time)
      if (times.size > MAX_CHANGES) throw new EventError('time zone')
    }
  for (const { value } of part.get('RDATE') ?? [])
    for (const one of value.split(',').slice(0, MAX_CHANGES)) times.add(localTimeOf(one).local)
  return [...times].map((time) => ({ at: time - before, before, after }))
}

/** Reads an offset from UTC, such as `+0100`, in milliseconds. */
function offsetOf(part: Component, name: string): number {
  const text = propertyOf(part, name)?.value.trim() ?? ''
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d):?(\d\d)(\d\d)?$/.exec(text) ?? []
  if (sign === undefined) throw new EventError('time zone')
  const length = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND
  return sign === '-' ? -length : length
}

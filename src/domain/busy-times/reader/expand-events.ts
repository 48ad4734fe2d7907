import { DAY } from '../../../infra/time/time-units.ts'
import { type BusyTime, BusyTimeList, type Span } from './busy-time-list.ts'
import { type Event, lengthOfEvent, readEvent, spanAt, zoneOf } from './calendar-event.ts'
import type { Component, Property } from './calendar-lines.ts'
import { durationOf, lengthOf, localTimeOf } from './calendar-values.ts'
import type { CalendarZones } from './calendar-zones.ts'
import { EventError } from './event-error.ts'
import { parseRule, type RecurrenceRule } from './recurrence-rule.ts'
import { timesOfRule } from './recurrence-times.ts'

/**
 * Lists the times in which the events block the calendar within the window. `unread` is the number of events that the
 * server cannot read.
 */
export function busyTimesOf(
  components: readonly Component[],
  zones: CalendarZones,
  window: Span,
  most: number,
): { times: BusyTime[]; unread: number } | 'too many' {
  let unread = 0
  const events: Event[] = []
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof EventError || error instanceof RangeError)) throw error
      unread++
    }
  }
  for (const component of components) attempt(() => events.push(readEvent(component, zones)))
  const found = new BusyTimeList(window)
  for (const series of Map.groupBy(events, (event) => event.uid || event).values()) {
    attempt(() => addSeries(newestVersions(series), zones, found, window))
    if (found.size > most) return 'too many'
  }
  return { times: found.list(), unread }
}

/** If an event has several versions, only the version with the highest number counts. */
function newestVersions(events: readonly Event[]): Event[] {
  if (events.length === 1) return [...events]
  const versions = Map.groupBy(events, ({ replaces }) => replaces?.instant ?? 'whole')
  return [...versions.values()].flatMap((same) => {
    const newest = Math.max(...same.map(({ sequence }) => sequence))
    return same.filter(({ sequence }) => sequence === newest)
  })
}

const repeats = ({ component }: Event) => component.has('RRULE') || component.has('RDATE')

/**
 * Adds the busy times of all events with one UID: the repeating event, and the events that replace some of its times.
 */
function addSeries(events: readonly Event[], zones: CalendarZones, found: BusyTimeList, window: Span): void {
  const replacements = events.filter(({ replaces }) => replaces)
  for (const event of events) {
    if (event.replaces) addOne(event, found)
    else if (repeats(event)) addTimes(event, replacements, zones, found, window)
    else if (!replacedTimes(event, replacements)(event.start.local)) addOne(event, found)
  }
}

function addOne(event: Event, found: BusyTimeList): void {
  if (!event.isBlocking) return
  const [from, to] = spanAt(event, event.start.local)
  found.add(event, event.replaces?.instant, from, to)
}

function addTimes(
  event: Event,
  replacements: readonly Event[],
  zones: CalendarZones,
  found: BusyTimeList,
  window: Span,
): void {
  const changes = replacements.filter(({ replaces }) => replaces?.andLater)
  // A change of all later times can move them by any distance.
  const longest = Math.max(...[event, ...changes].map(lengthOfEvent)) + (changes.length > 0 ? 31 * DAY : 2 * DAY)
  const local = { from: window[0] - longest, to: window[1] + longest }
  const isExcluded = exclusionsOf(event, zones, local)
  const isReplaced = replacedTimes(event, replacements)
  // All starts come first: an event that repeats too often must not block only a part of its times.
  for (const [start, end] of [...startsOf(event, zones, local)]) {
    if (isExcluded(start) || isReplaced(start)) continue
    const change = changes
      .filter(({ replaces }) => replaces && event.zone.localOf(replaces.instant) <= start)
      .toSorted((one, other) => Number(other.replaces?.instant) - Number(one.replaces?.instant))[0]
    const identity = event.zone.instantOf(start)
    if (change?.replaces) {
      const moved = start + change.start.local - change.zone.localOf(change.replaces.instant)
      if (change.isBlocking) found.add(event, identity, ...spanAt(change, moved))
    } else if (event.isBlocking)
      found.add(event, identity, ...(end === undefined ? spanAt(event, start) : ([identity, end] as const)))
  }
}

/**
 * Returns the function that tells whether another event replaces this time of a repeating event. A replaced day means
 * all times on this day.
 */
function replacedTimes({ zone, start }: Event, replacements: readonly Event[]): (time: number) => boolean {
  const instants = new Set<number>()
  const days = new Set<number>()
  for (const { replaces } of replacements) {
    if (!replaces) continue
    if (replaces.time.isDay || start.isDay) days.add(dayOf(replaces.time.local))
    else instants.add(replaces.instant)
  }
  return (time) => days.has(dayOf(time)) || instants.has(zone.instantOf(time))
}

const dayOf = (local: number) => Math.floor(local / DAY)

type LocalRange = { from: number; to: number }

/** Yields the starts of a repeating event as local times. A start that is listed as a period also has an end. */
function* startsOf(
  event: Event,
  zones: CalendarZones,
  range: LocalRange,
): Generator<readonly [start: number, end: number | undefined]> {
  const { component, start } = event
  const seen = new Set<number>()
  for (const { value, parameters, name } of component.get('RDATE') ?? [])
    for (const one of value.split(',')) {
      const [first = '', last] = one.split('/')
      const time = localTimeOf(first)
      const instant = zoneOf({ name, value, parameters }, time, zones).instantOf(time.local)
      const local = time.isDay || start.isDay ? time.local : event.zone.localOf(instant)
      if (seen.has(local)) continue
      seen.add(local)
      yield [local, last === undefined ? undefined : endOfPeriod(last, { name, value, parameters }, instant, zones)]
    }
  for (const local of timesByRule(event, 'RRULE', range)) if (!seen.has(local)) yield [local, undefined]
}

function endOfPeriod(text: string, property: Property, start: number, zones: CalendarZones): number {
  if (/^\s*[+-]?P/i.test(text)) return start + lengthOf(durationOf(text))
  const end = localTimeOf(text)
  return zoneOf(property, end, zones).instantOf(end.local)
}

/** Yields the times of the event by its rules. Without a rule, the event has only its start. */
function* timesByRule(event: Event, name: 'RRULE' | 'EXRULE', { from, to }: LocalRange): Generator<number> {
  const rules = event.component.get(name) ?? []
  if (rules.length === 0 && name === 'RRULE') yield event.start.local
  if (rules.length > 10) throw new EventError('too many rules')
  const seen = new Set<number>()
  for (const { value } of rules)
    for (const time of timesOfRule(ruleOf(value, event), event.start.local, [from, to]))
      if (!seen.has(time)) {
        seen.add(time)
        yield time
      }
}

function ruleOf(text: string, { zone, start }: Event): RecurrenceRule {
  return parseRule(text, (until) => {
    const { local, isUtc, isDay } = localTimeOf(until)
    // The rule includes the last day. In a rule for days, the last time means its day.
    if (isDay || start.isDay) return dayOf(isUtc && !start.isDay ? zone.localOf(local) : local) * DAY + DAY - 1
    return isUtc ? zone.localOf(local) : local
  })
}

/** Returns the function that tells whether an exception (EXDATE or EXRULE) removes a time of the event. */
function exclusionsOf(event: Event, zones: CalendarZones, range: LocalRange): (start: number) => boolean {
  const times = new Set<number>()
  const days = new Set<number>()
  for (const property of event.component.get('EXDATE') ?? [])
    for (const one of property.value.split(',')) {
      const time = localTimeOf(one)
      if (time.isDay || event.start.isDay) days.add(dayOf(time.local))
      else times.add(zoneOf(property, time, zones).instantOf(time.local))
    }
  const byRule = new Set(timesByRule(event, 'EXRULE', range))
  return (start) => days.has(dayOf(start)) || byRule.has(start) || times.has(event.zone.instantOf(start))
}

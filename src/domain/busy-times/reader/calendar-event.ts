import { DAY } from '../../../infra/time/time-units.ts'
import type { Span } from './busy-time-list.ts'
import { type Component, type Property, propertyOf, wordOf } from './calendar-lines.ts'
import { durationOf, type LocalTime, localTimeOf } from './calendar-values.ts'
import { type CalendarZones, UTC, type Zone } from './calendar-zones.ts'
import { EventError } from './event-error.ts'

/**
 * An event of a calendar file. `start`, and the replaced time of a repetition, are local times in the time zone of the
 * event.
 */
export interface Event {
  uid: string
  sequence: number
  zone: Zone
  start: LocalTime
  end: { time: LocalTime; zone: Zone } | undefined
  isBlocking: boolean
  /** The time of the repeating event that this event replaces: RECURRENCE-ID. */
  replaces: { time: LocalTime; instant: number; andLater: boolean } | undefined
  component: Component
}

/** Whether the event can block the window. A calendar has many old events, which the reader does not keep. */
export function mayMatter(component: Component, window: Span): boolean {
  if (component.has('RRULE') || component.has('RDATE') || component.has('RECURRENCE-ID')) return true
  const [start, end] = [propertyOf(component, 'DTSTART'), propertyOf(component, 'DTEND')]
  if (!start || !end) return true
  try {
    const [from, to] = [localTimeOf(start.value).local, localTimeOf(end.value).local]
    return to > window[0] - 3 * DAY && from < window[1] + 3 * DAY
  } catch {
    return true
  }
}

export function readEvent(component: Component, zones: CalendarZones): Event {
  const startProperty = propertyOf(component, 'DTSTART')
  if (!startProperty) throw new EventError('no start')
  const start = localTimeOf(startProperty.value)
  const zone = zoneOf(startProperty, start, zones)
  const endProperty = propertyOf(component, 'DTEND')
  const end = endProperty && localTimeOf(endProperty.value)
  const replaced = propertyOf(component, 'RECURRENCE-ID')
  const time = replaced && localTimeOf(replaced.value)
  const isBlocking =
    wordOf(component, 'TRANSP') !== 'TRANSPARENT' &&
    wordOf(component, 'STATUS') !== 'CANCELLED' &&
    wordOf(component, 'X-MICROSOFT-CDO-BUSYSTATUS') !== 'FREE'
  return {
    uid: propertyOf(component, 'UID')?.value.trim() ?? '',
    sequence: Number(/^\d{1,9}$/.exec(wordOf(component, 'SEQUENCE'))?.[0] ?? 0),
    zone,
    start,
    end: endProperty && end && { time: end, zone: zoneOf(endProperty, end, zones) },
    isBlocking,
    replaces:
      replaced && time
        ? {
            time,
            instant: zoneOf(replaced, time, zones).instantOf(time.local),
            andLater: replaced.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
          }
        : undefined,
    component,
  }
}

/** The zone of a time. A time without a zone, and a day, are in the zone of the business. */
export function zoneOf({ parameters }: Property, { isUtc, isDay }: LocalTime, zones: CalendarZones): Zone {
  if (isUtc) return UTC
  const name = parameters.get('TZID')
  return isDay || name === undefined ? zones.ofBusiness : zones.named(name)
}

/** Returns the interval of the event if it begins at this local time. */
export function spanAt({ component, start, zone, end }: Event, local: number): readonly [from: number, to: number] {
  const from = zone.instantOf(local)
  const duration = propertyOf(component, 'DURATION')
  if (end) {
    // The length of the event on the clocks of its time zone.
    const last = end.zone === zone ? end.time.local : zone.localOf(end.zone.instantOf(end.time.local))
    const length = last - start.local
    // A day that ends on itself means the whole day. Some programs write it so.
    return [from, zone.instantOf(local + (start.isDay ? Math.max(length, DAY) : length))]
  }
  if (duration) {
    const { days, exact } = durationOf(duration.value)
    if (start.isDay) return [from, zone.instantOf(local + Math.max(days + Math.ceil(exact / DAY), 1) * DAY)]
    return [from, zone.instantOf(local + days * DAY) + exact]
  }
  return [from, start.isDay ? zone.instantOf(local + DAY) : from]
}

export function lengthOfEvent(event: Event): number {
  const [from, to] = spanAt(event, event.start.local)
  return Math.max(0, to - from)
}

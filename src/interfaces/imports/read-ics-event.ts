import { MAX_DURATION_MS } from '../../domain/availability/availability-limits.ts'
import { DAY, SECOND, secondsOf } from '../../infra/time/time-units.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { findBuyer } from './find-buyer-in-ics.ts'
import type { SourceRow } from './import-columns.ts'
import type { Property } from './parse-ics-lines.ts'
import { instantOfProperty, UnreadableEventError, zoneOf } from './parse-ics-times.ts'
import type { ImportOptions } from './read-import-file.ts'
import { type IcsEvent, UNREADABLE } from './split-ics-events.ts'

export interface ReadEvent {
  /** The unique id of the calendar event. Empty if the event has no id. */
  uid: string
  begins: number
  /** The time zone of the event's start in the calendar file. */
  zone: string
  /** Creates the import row for one time of the calendar event. The row gets the given id. */
  rowAt(id: string, begins: number): SourceRow
}

/** The properties that a calendar event may have only once. */
const READ_ONCE = [
  'UID',
  'RECURRENCE-ID',
  'DTSTART',
  'DTEND',
  'DURATION',
  'STATUS',
  'SUMMARY',
  'DESCRIPTION',
  'ORGANIZER',
  'RRULE',
]
/**
 * All other event properties that the import knows. The last four describe the calendar's record of the event, such as
 * its last change, and not the event itself.
 */
const OTHERS_KNOWN = ['ATTENDEE', 'RDATE', 'EXDATE', 'EXRULE', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE']
const knownProperties = new Set([...READ_ONCE, ...OTHERS_KNOWN])

export const unreadProperties = ({ ownProperties, innerComponents }: IcsEvent): Set<string> =>
  new Set(
    [...ownProperties.map(({ name }) => name || UNREADABLE), ...innerComponents].filter(
      (name) => !knownProperties.has(name),
    ),
  )

export const propertyOf = ({ ownProperties }: IcsEvent, name: string): Property | undefined =>
  ownProperties.find((one) => one.name === name)

export const uidOf = (event: IcsEvent): string => unescaped(propertyOf(event, 'UID')?.value ?? '')

export function readEvent(event: IcsEvent, reading: ImportOptions): ReadEvent {
  const { line, ownProperties, isCanceled } = event
  const text = (name: string) => unescaped(propertyOf(event, name)?.value ?? '')
  const twice = READ_ONCE.find((name) => ownProperties.filter((one) => one.name === name).length > 1)
  if (twice) throw new UnreadableEventError(`It has ${twice} more than once.`)
  if (isCanceled) throw new UnreadableEventError('It was canceled there.')
  const start = propertyOf(event, 'DTSTART')
  if (!start) throw new UnreadableEventError('It has no DTSTART.')
  const begins = instantOfProperty(start, reading.zone)
  const length = lengthOf(event, begins, reading)
  const { buyer, leftOut, fault } = findBuyer(ownProperties, reading.service === undefined ? '' : text('SUMMARY'))
  if (fault !== undefined) throw new UnreadableEventError(fault)
  const same = { status: text('STATUS').toLowerCase(), service: reading.service ?? text('SUMMARY') }
  const rowValues = { ...same, notes: text('DESCRIPTION'), ...buyer }
  const at = (instant: number) => rfc3339(reading.zone, instant)
  return {
    uid: uidOf(event),
    begins,
    zone: zoneOf(start, reading.zone),
    rowAt(id, from) {
      const all = { id, start: at(from), end: length === undefined ? '' : at(from + length), ...rowValues }
      const values = Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])))
      return { line, values, leftOut }
    },
  }
}

/** Returns the length of a calendar event in milliseconds. Returns undefined if the event has no end. */
function lengthOf(event: IcsEvent, begins: number, { zone }: ImportOptions): number | undefined {
  const [end, duration] = [propertyOf(event, 'DTEND'), propertyOf(event, 'DURATION')?.value]
  if (end) return instantOfProperty(end, zone) - begins
  if (duration === undefined) return undefined
  const length = /^P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/.test(duration) ? secondsOf(duration) * SECOND : Infinity
  if (length > MAX_DURATION_MS)
    throw new UnreadableEventError(
      `DURATION is ${duration.slice(0, 60)}: write one such as PT30M, of ${MAX_DURATION_MS / DAY} days at most.`,
    )
  return length
}

const unescaped = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one)).trim()

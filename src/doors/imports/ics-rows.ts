import { secondsOf } from '../../time/duration.ts'
import { isZone, written } from '../../time/zone.ts'
import { Counts } from './counts.ts'
import type { Reading } from './formats.ts'
import { eventsIn, type IcsEvent, UNREADABLE } from './ics-events.ts'
import type { Property } from './ics-lines.ts'
import { invited } from './ics-people.ts'
import { momentOf } from './moments.ts'
import type { SourceRow } from './source-row.ts'

/** The events of a calendar. What one is of is its title, unless all are of one service: then the title says who comes. */
export async function* icsRows(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<SourceRow> {
  const [unread, beside] = [new Counts(), new Counts()]
  for await (const event of eventsIn(chunks, { beside: (name) => beside.add(name) })) {
    for (const name of notReadOf(event)) unread.add(name)
    yield rowOf(event, reading)
  }
  if (!unread.isEmpty) reading.warn(`Of events this is not read (in how many it stands): ${unread}.`)
  if (!beside.isEmpty) reading.warn(`Beside events this is not read (how often it is there): ${beside}.`)
}

/** Each stands in an event once, if at all. */
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
]
/** What repeats is refused with whatever says how; the last four say when the event was written down, and nothing of it. */
const OTHERS_KNOWN = ['ATTENDEE', 'RRULE', 'RDATE', 'EXDATE', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE']
const known = new Set([...READ_ONCE, ...OTHERS_KNOWN])

const notReadOf = ({ own, within }: IcsEvent): Set<string> =>
  new Set([...own.map(({ name }) => name || UNREADABLE), ...within].filter((name) => !known.has(name)))

function rowOf({ line, own, isTakenBack }: IcsEvent, reading: Reading): SourceRow {
  const of = (name: string) => own.find((one) => one.name === name)
  const text = (name: string) => unescaped(of(name)?.value ?? '')
  try {
    const twice = READ_ONCE.find((name) => own.filter((one) => one.name === name).length > 1)
    if (twice) throw new Unreadable(`It has ${twice} more than once.`)
    if (isTakenBack) throw new Unreadable('It was canceled there.')
    if (of('RRULE') ?? of('RDATE')) throw new Unreadable('It repeats. Export its times as events of their own.')
    const start = of('DTSTART')
    if (!start) throw new Unreadable('It has no DTSTART.')
    const [begins, ends] = [momentIn(start, reading), endOf(of('DTEND'), of('DURATION')?.value, start, reading)]
    const { buyer, leftOut, fault } = invited(own, reading.service === undefined ? '' : text('SUMMARY'))
    if (fault !== undefined) throw new Unreadable(fault)
    const named = {
      ...{ id: idOf(text('UID'), of('RECURRENCE-ID')), start: begins, end: ends, status: text('STATUS').toLowerCase() },
      ...{ service: reading.service ?? text('SUMMARY'), notes: text('DESCRIPTION') },
      ...buyer,
    }
    const values = Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    return { line, values, leftOut }
  } catch (error) {
    if (error instanceof Unreadable) return { line, values: {}, fault: error.message }
    throw error
  }
}

class Unreadable extends Error {}

/** One of a series that was moved has the id of the series. */
const idOf = (uid: string, recurrence: Property | undefined) =>
  [uid, recurrence?.value].filter(Boolean).join(' ').slice(0, 200)

function endOf(
  end: Property | undefined,
  duration: string | undefined,
  start: Property,
  reading: Reading,
): string | undefined {
  if (end) return momentIn(end, reading)
  if (duration === undefined) return undefined
  if (!/^P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/.test(duration))
    throw new Unreadable(`DURATION is ${duration.slice(0, 60)}.`)
  const from = Date.parse(momentIn(start, reading))
  return written(reading.zone, from + secondsOf(duration) * 1000)
}

/** `20261201T090000Z`, or without Z on the clocks of the zone that is named, else of the business. */
function momentIn({ name, value, parameters: { TZID, VALUE } }: Property, { zone }: Reading): string {
  if (VALUE === 'DATE') throw new Unreadable('It is for whole days: a booking begins at a time.')
  if (TZID !== undefined && !isZone(TZID))
    throw new Unreadable(`Its time zone ${TZID.slice(0, 60)} is none of the world's list, such as Europe/Berlin.`)
  const text = value.trim().replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(Z?)$/, '$1-$2-$3T$4:$5:$6$7')
  const moment = momentOf(text, TZID ?? zone)
  if (moment === undefined) throw new Unreadable(`${name} is ${value.slice(0, 60)}, which is no moment.`)
  return moment
}

const unescaped = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one)).trim()

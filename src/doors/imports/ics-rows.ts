import { secondsOf } from '../../time/duration.ts'
import { isZone, written } from '../../time/zone.ts'
import type { Reading } from './formats.ts'
import { type Property, properties } from './ics-lines.ts'
import { momentOf } from './moments.ts'
import type { SourceRow } from './source-row.ts'

/** The events of a calendar. What one is of is its title, unless all are of one service: then the title says who comes. */
export async function* icsRows(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<SourceRow> {
  let event: Property[] | undefined
  /** What stands within an event, as an alarm, is no part of it. */
  let within = 0
  for await (const property of properties(chunks)) {
    const { name, value } = property
    const isEvent = value.trim().toUpperCase() === 'VEVENT'
    if (name === 'BEGIN' && isEvent) event = [property]
    else if (name === 'BEGIN') within++
    else if (name === 'END' && isEvent && event) {
      yield rowOf(event, reading)
      event = undefined
    } else if (name === 'END') within--
    else if (event && isOwn(within)) event.push(property)
  }
}

/** Within the calendar alone. */
const isOwn = (within: number) => within <= 1

function rowOf(event: readonly Property[], reading: Reading): SourceRow {
  const line = event[0]?.line ?? 0
  const of = (name: string) => event.find((one) => one.name === name)
  const text = (name: string) => unescaped(of(name)?.value ?? '')
  try {
    if (of('RRULE') ?? of('RDATE')) throw new Unreadable('It repeats. Export its times as events of their own.')
    const start = of('DTSTART')
    if (!start) throw new Unreadable('It has no DTSTART.')
    const [begins, ends] = [momentIn(start, reading), endOf(of('DTEND'), of('DURATION')?.value, start, reading)]
    const attendees = event.filter(({ name }) => name === 'ATTENDEE')
    const named = {
      ...{ id: idOf(text('UID'), of('RECURRENCE-ID')), start: begins, end: ends, status: text('STATUS').toLowerCase() },
      ...{ service: reading.service ?? text('SUMMARY'), notes: text('DESCRIPTION') },
      ...whoComes(attendees, reading.service === undefined ? '' : text('SUMMARY')),
    }
    const values = Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    return { line, values }
  } catch (error) {
    if (error instanceof Unreadable) return { line, values: {}, fault: error.message }
    throw error
  }
}

class Unreadable extends Error {}

/** One of a series that was moved has the id of the series. */
const idOf = (uid: string, recurrence: Property | undefined) =>
  [uid, recurrence?.value].filter(Boolean).join(' ').slice(0, 200)

/** The one who is invited; several are no buyer that anybody could tell. */
function whoComes(attendees: readonly Property[], title: string) {
  const [one, ...others] = attendees
  if (!one || others.length > 0) return { name: title }
  const email = one.value.replace(/^mailto:/i, '')
  return { name: one.parameters.CN ?? (title || email), email: email.includes('@') ? email : '' }
}

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

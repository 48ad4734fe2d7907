import { CalendarError } from './event-error.ts'

/** A property of a calendar file (RFC 5545), such as `DTSTART;TZID=Europe/Berlin:20270301T090000`. */
export interface Property {
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

/** An event or a part of a time zone: its properties by name. */
export type Component = ReadonlyMap<string, readonly Property[]>

/**
 * The property with the id of the booking or class in events that this server writes into other calendars. A program that
 * copies events between calendars can give the copy another UID.
 */
export const OWN_PROPERTY = 'X-USP-BOOKING'

/**
 * The properties that decide when an event blocks time. The server does not keep any other property, such as the title.
 */
const WANTED = new Set([
  ...['UID', 'RECURRENCE-ID', 'SEQUENCE', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'EXRULE', 'RDATE', 'EXDATE'],
  ...['STATUS', 'TRANSP', 'X-MICROSOFT-CDO-BUSYSTATUS', OWN_PROPERTY],
  ...['TZID', 'TZOFFSETFROM', 'TZOFFSETTO', 'METHOD', 'REFRESH-INTERVAL', 'X-PUBLISHED-TTL'],
])

const MAX_LINE = 100_000
/** The maximum number of wanted properties in one component. An event can have many exceptions. */
const MAX_PROPERTIES = 20_000
const MAX_DEPTH = 20

export interface CalendarReceiver {
  event(event: Component, calendar: Component): void
  /** `parts` are the components STANDARD and DAYLIGHT of the time zone. */
  zone(zone: Component, parts: readonly Component[]): void
  /** The properties of a calendar, after all its events. */
  calendar(calendar: Component): void
}

interface OpenComponent {
  name: string
  properties: Map<string, Property[]>
  count: number
  parts: Component[]
}

/**
 * Reads the text of a calendar file, and passes its components to the receiver. A text that is no calendar, and a
 * calendar whose end is missing, are refused.
 */
export function readComponents(text: string, receiver: CalendarReceiver): void {
  const open: OpenComponent[] = []
  let calendars = 0
  for (const line of unfoldedLines(text)) {
    if (line.trim() === '') continue
    const property = parseLine(line)
    const parent = open.at(-1)
    if (calendars === 0 && !parent && !(property?.name === 'BEGIN' && isNamed(property, 'VCALENDAR')))
      throw new CalendarError('not_calendar')
    if (!property) continue
    const name = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      if (open.length >= MAX_DEPTH) throw new CalendarError('too_complex')
      open.push({ name, properties: new Map(), count: 0, parts: [] })
    } else if (property.name === 'END') {
      if (parent?.name !== name) throw new CalendarError(parent ? 'truncated' : 'not_calendar')
      open.pop()
      if (name === 'VCALENDAR') calendars++
      deliver(parent, open.at(-1), receiver)
    } else if (parent && WANTED.has(property.name)) {
      if (++parent.count > MAX_PROPERTIES) throw new CalendarError('too_complex')
      const same = parent.properties.get(property.name)
      if (same) same.push(property)
      else parent.properties.set(property.name, [property])
    }
  }
  if (open.length > 0) throw new CalendarError('truncated')
  if (calendars === 0) throw new CalendarError('not_calendar')
}

const isNamed = ({ value }: Property, name: string) => value.trim().toUpperCase() === name

function deliver(
  { name, properties, parts }: OpenComponent,
  parent: OpenComponent | undefined,
  receiver: CalendarReceiver,
): void {
  if (name === 'VEVENT' && parent?.name === 'VCALENDAR') receiver.event(properties, parent.properties)
  else if ((name === 'STANDARD' || name === 'DAYLIGHT') && parent?.name === 'VTIMEZONE') parent.parts.push(properties)
  else if (name === 'VTIMEZONE') receiver.zone(properties, parts)
  else if (name === 'VCALENDAR') receiver.calendar(properties)
}

/**
 * Yields the lines of the text. Calendar programs split a long line into several, and the function joins them again.
 */
function* unfoldedLines(text: string): Generator<string> {
  let line: string | undefined
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    const feed = text.indexOf('\n', at)
    const end = feed < 0 ? text.length : feed
    const next = text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end)
    at = end + 1
    if (line !== undefined && (next.startsWith(' ') || next.startsWith('\t'))) {
      // A folded line can be an attachment of several megabytes, of which the server needs nothing.
      if (line.length < MAX_LINE) line += next.slice(1)
      continue
    }
    if (line !== undefined) yield line
    line = next.slice(0, MAX_LINE)
  }
  if (line !== undefined) yield line
}

/** Parses a line. Returns undefined if it is no property. The parser is a loop, because a pattern could be slow. */
export function parseLine(line: string): Property | undefined {
  let at = 0
  const until = (stops: string): string => {
    const from = at
    let isQuoted = false
    for (; at < line.length; at++) {
      const character = line[at] ?? ''
      if (character === '"') isQuoted = !isQuoted
      else if (!isQuoted && stops.includes(character)) break
    }
    return line.slice(from, at)
  }
  const name = until(';:').trim().toUpperCase()
  const parameters = new Map<string, string>()
  while (line[at] === ';') {
    at++
    const key = until('=;:').trim().toUpperCase()
    if (line[at] !== '=') continue
    at++
    parameters.set(key, until(';:').replaceAll('"', ''))
  }
  return name === '' || line[at] !== ':' ? undefined : { name, parameters, value: line.slice(at + 1) }
}

export const propertyOf = (component: Component, name: string): Property | undefined => component.get(name)?.[0]

/** Returns the text of a property in capital letters. Empty if the component has no such property. */
export const wordOf = (component: Component, name: string): string =>
  (propertyOf(component, name)?.value ?? '').trim().toUpperCase()

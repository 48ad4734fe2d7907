import { PlainError } from '../../infra/util/command-line-error.ts'
import { type Property, properties } from './parse-ics-lines.ts'

/** An event of a calendar file. `innerComponents` are the names of the components inside the event, such as alarms. */
export interface IcsEvent {
  line: number
  ownProperties: Property[]
  innerComponents: string[]
  /**
   * Whether the calendar that contains this event cancels all its events (`METHOD:CANCEL`). The import refuses canceled
   * events.
   */
  isCanceled: boolean
}

/**
 * An open component (such as an event) of a calendar file. The import has read its BEGIN line, but not its END line
 * yet. `event` is set if the component is an event.
 */
interface OpenComponent {
  name: string
  line: number
  event?: IcsEvent
}

interface EventReport {
  /** Reports the name of a property or component in the calendar file that the import ignores. */
  notRead(name: string): void
}

/**
 * Reads the events of all calendars in a file. Refuses the file if the BEGIN and END lines of its components do not
 * match.
 */
export async function* eventsIn(chunks: AsyncIterable<string>, { notRead }: EventReport): AsyncGenerator<IcsEvent> {
  const open: OpenComponent[] = []
  let isCanceled = false
  for await (const property of properties(chunks)) {
    const { line, name } = property
    const value = property.value.trim().toUpperCase()
    const parent = open.at(-1)
    const { ownProperties = [], innerComponents = [] } = parent?.event ?? {}
    if (ownProperties.length + innerComponents.length > MOST_WITHIN)
      throw broken(line, `this event has more than ${MOST_WITHIN} lines`)
    if (open.length > DEEPEST) throw broken(line, `what begins here stands in ${DEEPEST} others`)
    if (name === 'BEGIN') open.push(openComponent({ name: value, line }, { parent, isCanceled }, notRead))
    else if (name === 'END') {
      if (parent?.name !== value) throw broken(line, `END:${value.slice(0, 60)} ends nothing that began before it`)
      open.pop()
      if (value === 'VEVENT' && parent.event) yield parent.event
      if (value === 'VCALENDAR') isCanceled = false
    } else if (parent?.name === 'VEVENT') parent.event?.ownProperties.push(property)
    else if (parent === undefined) notRead('what stands outside of a calendar')
    else if (parent.name === 'VCALENDAR') {
      if (name === 'METHOD') isCanceled = value === 'CANCEL'
      else if (!IGNORED_CALENDAR_PROPERTIES.has(name)) notRead(name || UNREADABLE)
    }
  }
  const cutOff = open.at(-1)
  if (cutOff)
    throw broken(cutOff.line, `the ${cutOff.name.slice(0, 60)} that begins here never ends: the file is cut off`)
}

/**
 * The maximum number of lines of one calendar event, and the maximum nesting depth of components. The first limit is
 * high, because an event can have hundreds of guests.
 */
const [MOST_WITHIN, DEEPEST] = [10_000, 20]

export const UNREADABLE = 'lines that are no properties'

/** Properties of a calendar that describe the program or the format. The import ignores them without a warning. */
const IGNORED_CALENDAR_PROPERTIES = new Set(['VERSION', 'PRODID', 'CALSCALE'])

/**
 * Handles the start of a component in a calendar file. If the component is inside an event, such as an alarm, the
 * import stores only the component's name.
 */
function openComponent(
  { name, line }: Pick<OpenComponent, 'name' | 'line'>,
  { parent, isCanceled }: { parent: OpenComponent | undefined; isCanceled: boolean },
  notRead: EventReport['notRead'],
): OpenComponent {
  if (parent?.name === 'VCALENDAR') {
    if (name === 'VEVENT') return { name, line, event: { line, ownProperties: [], innerComponents: [], isCanceled } }
    // The import does not read VTIMEZONE, because it knows time zones by their names. It treats a calendar inside
    // another calendar as a separate calendar.
    if (name !== 'VTIMEZONE' && name !== 'VCALENDAR') notRead(name)
  } else if (parent === undefined) {
    if (name !== 'VCALENDAR') notRead(name)
  } else if (parent.name === 'VEVENT') parent.event?.innerComponents.push(name)
  return { name, line }
}

const broken = (line: number, what: string) => new PlainError(`Line ${line}: ${what}. Nothing was done.`)

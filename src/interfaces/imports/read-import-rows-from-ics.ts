import { PlainError } from '../../infra/util/command-line-error.ts'
import { MAX_ROWS, type SourceRow } from './import-columns.ts'
import { readEvent, unreadProperties } from './read-ics-event.ts'
import type { ImportOptions } from './read-import-file.ts'
import { isOfSeries, rowsOfSeries, rowsOrFault, seriesIn } from './read-repeating-ics-events.ts'
import { eventsIn, type IcsEvent } from './split-ics-events.ts'

/**
 * Reads the import rows of a calendar file. The title of an event is the name of the service. If an import option sets
 * one service for all events, the title is the name of the buyer.
 */
export async function* icsRows(chunks: AsyncIterable<string>, reading: ImportOptions): AsyncGenerator<SourceRow> {
  const [unread, unreadOutside] = [new NameCounts(), new NameCounts()]
  const waiting: IcsEvent[] = []
  for await (const event of eventsIn(chunks, { notRead: (name) => unreadOutside.add(name) })) {
    for (const name of unreadProperties(event)) unread.add(name)
    for (const { parameters } of event.ownProperties) renameZone(parameters, reading)
    if (!isOfSeries(event)) yield* rowsOrFault(event, () => [rowOf(event, reading)])
    else if (waiting.push(event) > MAX_ROWS)
      throw new PlainError(
        `More than ${MAX_ROWS.toLocaleString('en')} events repeat or were moved. Nothing was done; split the file.`,
      )
  }
  for (const events of seriesIn(waiting)) yield* rowsOfSeries(events, reading)
  if (!unread.isEmpty) reading.warn(`Of events this is not read (in how many it stands): ${unread}.`)
  if (!unreadOutside.isEmpty) reading.warn(`Beside events this is not read (how often it is there): ${unreadOutside}.`)
}

function rowOf(event: IcsEvent, reading: ImportOptions): SourceRow {
  const { uid, begins, rowAt } = readEvent(event, reading)
  return rowAt(uid.slice(0, 200), begins)
}

/** Replaces a time zone name in the calendar file, such as a Windows name, with the IANA name from the name map. */
function renameZone(parameters: Record<string, string>, { zones = {} }: ImportOptions): void {
  const { TZID } = parameters
  if (TZID !== undefined && Object.hasOwn(zones, TZID)) parameters.TZID = zones[TZID] ?? TZID
}

/** Counts how often each name appears. The names keep the order of their first appearance. */
class NameCounts {
  readonly #counts = new Map<string, number>()

  add(what: string) {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  get isEmpty() {
    return this.#counts.size === 0
  }

  /**
   * Returns a text with names and counts, such as `LOCATION (3), URL (1)`. A file can contain any number of names, so
   * the text contains only the first names.
   */
  toString() {
    const all = [...this.#counts]
    const named = all.slice(0, MOST_NAMED).map(([what, count]) => `${what.slice(0, 60)} (${count})`)
    return [...named, ...(all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} others`] : [])].join(', ')
  }
}

const MOST_NAMED = 50

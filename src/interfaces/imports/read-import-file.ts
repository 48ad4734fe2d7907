import { PlainError } from '../../infra/util/command-line-error.ts'
import type { SourceRow } from './import-columns.ts'
import { csvRows } from './read-import-rows-from-csv.ts'
import { icsRows } from './read-import-rows-from-ics.ts'

export interface ImportOptions {
  /** The time zone for times in the import file that contain no time zone. */
  zone: string
  /** Maps the time zone names of the imported calendar to IANA names, such as `Europe/Berlin`. */
  zones?: Record<string, string> | undefined
  /** The current time. The import reads the times of a repeating event until one year after the current time. */
  now: Date
  /** The service for all rows of the import file that name no service. */
  service?: string | undefined
  warn(text: string): void
}

export function rowsOf(
  ending: string,
  chunks: AsyncIterable<string>,
  reading: ImportOptions,
): AsyncIterable<SourceRow> {
  if (/^\.(csv|tsv|txt)$/i.test(ending)) return csvRows(chunks, reading)
  if (/^\.(ics|ical)$/i.test(ending)) return icsRows(chunks, reading)
  throw new PlainError(
    `Only files that end in .csv, .tsv or .ics can be imported; this one ends in ${ending || 'nothing'}.`,
  )
}

import { PlainError } from '../../infra/util/plain-error.ts'
import { csvRows } from './csv-rows.ts'
import { icsRows } from './ics-rows.ts'
import type { SourceRow } from './import-columns.ts'

export interface ImportOptions {
  /** The time zone for times without a zone in the file. */
  zone: string
  /** Maps the zone names of the calendar to IANA names. */
  zones?: Record<string, string> | undefined
  /** The time of the import. The import reads repeating events up to one year after this time. */
  now: Date
  /** The service for all rows that name no service. */
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

import { PlainError } from '../../infra/util/plain-error.ts'
import { csvRows } from './csv-rows.ts'
import { icsRows } from './ics-rows.ts'
import type { SourceRow } from './import-columns.ts'

export interface ImportOptions {
  /** Zone of times without a zone. */
  zone: string
  /** IANA names for the calendar's own zone names. */
  zones?: Record<string, string> | undefined
  /** Repeating events are read up to one year after this time. */
  now: Date
  /** Service of all rows that name none. */
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

import { PlainError } from '../../infra/util/plain-error.ts'
import { csvRows } from './csv-rows.ts'
import { icsRows } from './ics-rows.ts'
import type { SourceRow } from './source-row.ts'

export interface Reading {
  /** On whose clocks times are that do not say it. */
  zone: string
  /** What the world calls zones that a calendar calls otherwise. */
  zones?: Record<string, string> | undefined
  /** What repeats is read up to a year from then. */
  now: Date
  /** What all of them are of that name no service. */
  service?: string | undefined
  warn(text: string): void
}

/** The bookings in a file, by how its name ends. */
export function rowsOf(ending: string, chunks: AsyncIterable<string>, reading: Reading): AsyncIterable<SourceRow> {
  if (/^\.(csv|tsv|txt)$/i.test(ending)) return csvRows(chunks, reading)
  if (/^\.(ics|ical)$/i.test(ending)) return icsRows(chunks, reading)
  throw new PlainError(
    `Only files that end in .csv, .tsv or .ics can be imported; this one ends in ${ending || 'nothing'}.`,
  )
}

import { importBookings } from '../../domain/desk/bookings/import-bookings.ts'
import { type ImportedRow, MOST_AT_ONCE } from '../../domain/desk/bookings/import-schema.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import { callDeskWithRetry } from './call-desk-with-retry.ts'
import { type ImportedEarlier, importBlock } from './import-blocked-time.ts'
import { isBlock, isLeftOutAlone, MAX_ROWS, type SourceRow } from './import-columns.ts'
import type { RowResult } from './import-row-result.ts'
import type { Names } from './match-names-to-ids.ts'
import { type Block, toBlock } from './row-to-blocked-time.ts'
import { RowRefusedError, toBooking } from './row-to-booking.ts'

export interface Import {
  source: string
  names: Names
  /** The time zone for times in the import file that contain no time zone. */
  zone: string
  notifies: boolean
  isDryRun: boolean
  progress?: (done: number, total: number) => void
}

interface ParsedRow<T> {
  row: SourceRow
  as: T
}

const WITHOUT_BOOKING =
  'who never booked is not kept: customers show from their bookings, and begin with the first one here'

/**
 * Imports the bookings in batches, the earliest first. Then imports the blocked times. Returns the results in the order
 * of the file.
 */
export async function importRows(
  rows: AsyncIterable<SourceRow>,
  options: Import,
  dependencies: CallDependencies,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  const bookings: ParsedRow<ImportedRow>[] = []
  const blocks: ParsedRow<Block>[] = []
  for await (const row of rows) {
    if (bookings.length + blocks.length + results.length >= MAX_ROWS)
      throw new PlainError(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Nothing was done; split it.`)
    const { line, values, fault } = row
    try {
      if (row.isPersonAlone && fault === undefined)
        results.push({ line, start: '', outcome: 'without_booking', leftOut: [WITHOUT_BOOKING] })
      else if (isLeftOutAlone(values) && fault === undefined)
        results.push({ line, start: '', outcome: 'left_out', ...leftOutOf(row) })
      else if (isBlock(values)) blocks.push({ row, as: toBlock(row, options) })
      else bookings.push({ row, as: toBooking(row, options) })
    } catch (error) {
      if (!(error instanceof RowRefusedError)) throw error
      results.push({ line, start: values.start ?? '', outcome: 'refused', reason: error.message })
    }
  }
  const planned: ImportedEarlier[] = []
  let done = 0
  for (const portion of inBatches(inOrder(bookings))) {
    const came = await importBatch(portion, options, dependencies)
    results.push(...came)
    for (const [index, { outcome }] of came.entries()) {
      const booking = portion[index]
      if (outcome === 'imported' && booking) planned.push({ line: booking.row.line, isBlock: false, ...booking.as })
    }
    done += portion.length
    options.progress?.(done, bookings.length)
  }
  // The import stores bookings before blocked times, so that it can report each blocked time that overlaps a booking.
  for (const { row, as } of inOrder(blocks))
    results.push(await importBlock(row, as, { ...options, planned }, dependencies))
  return results.sort((one, other) => one.line - other.line)
}

const leftOutOf = ({ leftOut = [] }: SourceRow) => (leftOut.length > 0 ? { leftOut } : {})

const inOrder = <T extends { start: string }>(all: readonly ParsedRow<T>[]): ParsedRow<T>[] =>
  all.toSorted((one, other) => Date.parse(one.as.start) - Date.parse(other.as.start) || one.row.line - other.row.line)

/**
 * Divides the imported rows into batches. If possible, a batch contains whole days. A dry run stores nothing, so it
 * finds a conflict of two rows only if both rows are in the same batch.
 */
function* inBatches(rows: ParsedRow<ImportedRow>[]): Generator<ParsedRow<ImportedRow>[]> {
  const days = Map.groupBy(rows, ({ as: { start } }) => start.slice(0, 'YYYY-MM-DD'.length)).values()
  let portion: ParsedRow<ImportedRow>[] = []
  for (const day of days)
    for (const [nth, row] of day.entries()) {
      const next = nth === 0 ? Math.min(day.length, MOST_AT_ONCE) : 1
      if (portion.length + next > MOST_AT_ONCE) {
        yield portion
        portion = []
      }
      portion.push(row)
    }
  if (portion.length > 0) yield portion
}

async function importBatch(
  portion: ParsedRow<ImportedRow>[],
  { source, notifies, isDryRun }: Import,
  dependencies: CallDependencies,
): Promise<RowResult[]> {
  const input = { source, tell: notifies, dry_run: isDryRun, bookings: portion.map(({ as }) => as) as [ImportedRow] }
  const answer = await callDeskWithRetry(importBookings, input, dependencies)
  if (answer.refusal) throw new PlainError(answer.refusal.content)
  return portion.map(({ row, as: { start } }, index) => {
    const { outcome, overridden, refusal } = answer.result.results[index] ?? { outcome: 'refused' }
    return {
      line: row.line,
      start,
      outcome,
      ...(overridden && { overridden }),
      ...(refusal ? { reason: refusal.content } : leftOutOf(row)),
    }
  })
}

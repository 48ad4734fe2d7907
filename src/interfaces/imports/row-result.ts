import type { ImportResult } from '../../domain/desk/bookings/import-schema.ts'

/** The result of importing one row. */
export interface RowResult {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  reason?: string
  /** The current rules of the business that the imported booking breaks. */
  overridden?: string[]
  /** Values that the import did not store, in words that do not identify a person. */
  leftOut?: readonly string[]
}

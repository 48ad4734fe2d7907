import type { ImportResult } from '../../domain/desk/bookings/import-schema.ts'

/** The result of one row. */
export interface RowResult {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  reason?: string
  /** Current rules that the booking breaks. */
  overridden?: string[]
  /** Values that the import did not store, in words that name no person. */
  leftOut?: readonly string[]
}

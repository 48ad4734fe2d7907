import type { ImportResult } from '../../domain/desk/bookings/import-schema.ts'

/** What the import did with one row. */
export interface RowResult {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  reason?: string
  /** The rules of the business that the imported booking would violate as a new booking. */
  overridden?: string[]
  /** Descriptions of the row's values that the import did not store. The descriptions identify no person. */
  leftOut?: readonly string[]
}

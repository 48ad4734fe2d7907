import type { ImportResult } from '../../domain/desk/bookings/import-schema.ts'

/** The result of the import of one row. */
export interface RowResult {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  reason?: string
  /** The current rules of the business that the imported booking violates. */
  overridden?: string[]
  /** Descriptions of the values that the import did not store. The descriptions do not identify a person. */
  leftOut?: readonly string[]
}

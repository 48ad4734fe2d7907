import type { ImportResult } from '../../domain/desk/bookings/import-schema.ts'

export interface RowResult {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  reason?: string
  /**
   * The rules of the business that would forbid the same booking today. The import stores the booking in spite of these
   * rules.
   */
  overridden?: string[]
  /** Texts about values of the row that the import does not store. The texts contain no personal data. */
  leftOut?: readonly string[]
}

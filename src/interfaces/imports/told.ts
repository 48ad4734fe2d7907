import type { ImportResult } from '../../domain/desk/bookings/import-parts.ts'

/** What came of one row. */
export interface Told {
  line: number
  start: string
  outcome: ImportResult['outcome'] | 'without_booking' | 'left_out'
  /** Why it was refused. */
  why?: string
  /** Rules of today that it breaks. */
  overridden?: string[]
  /** What of it stands nowhere here, in words that name nobody. */
  leftOut?: readonly string[]
}

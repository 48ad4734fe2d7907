import { type RawBuilder, sql } from 'kysely'
import type { BookingRow, People } from './booking-row.ts'

/**
 * Whether the staff entered the buyer's phone number. A number from the buyer proves nothing, because it may be another
 * person's.
 */
export const isNumberFromStaff = ({ principal, people }: Pick<BookingRow, 'principal' | 'people'>): boolean =>
  people.number_from === undefined ? principal === '' : people.number_from === 'staff'

/** The same check in SQL, for a booking `b`. */
export const hasNumberFromStaff: RawBuilder<boolean> = sql<boolean>`
  coalesce(b.people ->> 'number_from', case when b.principal = '' then 'staff' else 'buyer' end) = 'staff'`

/** Who entered the number, for a booking that copies the people of another one. */
export const numberFromOf = (booking: Pick<BookingRow, 'principal' | 'people'>): Pick<People, 'number_from'> => ({
  number_from: isNumberFromStaff(booking) ? 'staff' : 'buyer',
})

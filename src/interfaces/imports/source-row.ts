const ofBooking = ['id', 'start', 'end', 'service', 'with', 'place', 'status', 'paid', 'people', 'left_out'] as const
const ofPerson = ['name', 'first_name', 'last_name', 'email', 'phone', 'customer_notes'] as const
const ofEither = ['notes', 'line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const

/** What a file can say of a booking, by the names of the columns; docs/import.md has what each is. */
export const columns = [...ofBooking, ...ofPerson, ...ofEither] as const
export type Column = (typeof columns)[number]

/** A booking as a file has it. What could not be read of it says why, and is refused. */
export interface SourceRow {
  /** Where it begins in the file. */
  line: number
  values: Partial<Record<Column, string>>
  fault?: string
  /** What stands nowhere once it is imported, in words that name nobody. */
  leftOut?: string[]
  /** Whether it says of somebody and of no booking: a customer of the other system who never booked. */
  isPersonAlone?: boolean
}

export const isPersonAlone = (said: SourceRow['values']): boolean =>
  ofPerson.some((column) => said[column] !== undefined) && ofBooking.every((column) => said[column] === undefined)

/** Whether it only says what the file does not have. */
export const isLeftOutAlone = ({ left_out, ...others }: SourceRow['values']): boolean =>
  left_out !== undefined && Object.keys(others).length === 0

/** Whether it keeps somebody's time free, and is nobody's booking. */
export const isBlock = ({ status }: SourceRow['values']): boolean => status?.toLowerCase() === 'blocked'

/** Larger files are split: who imports waits for no more than this before anything is done. */
export const MOST_ROWS = 100_000
export const LONGEST_FIELD = 10_000

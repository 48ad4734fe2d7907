const ofBooking = ['id', 'start', 'end', 'service', 'with', 'place', 'status', 'paid', 'people', 'left_out'] as const
const ofPerson = ['name', 'first_name', 'last_name', 'email', 'phone', 'customer_notes'] as const
const ofEither = ['notes', 'line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const

/** Columns of a file. docs/import.md explains them. */
export const columns = [...ofBooking, ...ofPerson, ...ofEither] as const
export type Column = (typeof columns)[number]

/** A booking in a file. A row with a fault is refused. */
export interface SourceRow {
  /** Line number in the file. */
  line: number
  values: Partial<Record<Column, string>>
  fault?: string
  /** Values that the import does not store, in words that name no person. */
  leftOut?: string[]
  /** A customer of the other system who never booked. */
  isPersonAlone?: boolean
}

export const isPersonAlone = (values: SourceRow['values']): boolean =>
  ofPerson.some((column) => values[column] !== undefined) && ofBooking.every((column) => values[column] === undefined)

/** Whether the row only reports data that the file does not contain. */
export const isLeftOutAlone = ({ left_out, ...others }: SourceRow['values']): boolean =>
  left_out !== undefined && Object.keys(others).length === 0

export const isBlock = ({ status }: SourceRow['values']): boolean => status?.toLowerCase() === 'blocked'

/** Larger files must be split. The importer reads all rows before it imports the first one. */
export const MAX_ROWS = 100_000
export const MAX_FIELD_CHARACTERS = 10_000

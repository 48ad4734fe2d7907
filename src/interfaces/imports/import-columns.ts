const ofBooking = ['id', 'start', 'end', 'service', 'with', 'place', 'status', 'paid', 'people', 'left_out'] as const
const ofPerson = ['name', 'first_name', 'last_name', 'email', 'phone', 'customer_notes'] as const
const ofEither = ['notes', 'line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const

/** The columns that an import file can have. docs/import.md explains them. */
export const columns = [...ofBooking, ...ofPerson, ...ofEither] as const
export type Column = (typeof columns)[number]

/** A row of an import file, such as a booking. The import refuses a row with a fault. */
export interface SourceRow {
  /** Line number in the file. */
  line: number
  values: Partial<Record<Column, string>>
  fault?: string
  /** Values that the import does not store, in words that do not identify a person. */
  leftOut?: string[]
  /** Whether the row is a customer of the other system who never booked. */
  isPersonAlone?: boolean
}

export const isPersonAlone = (values: SourceRow['values']): boolean =>
  ofPerson.some((column) => values[column] !== undefined) && ofBooking.every((column) => values[column] === undefined)

/** Whether the row has only the column `left_out`, with which an export reports data that the file does not contain. */
export const isLeftOutAlone = ({ left_out, ...others }: SourceRow['values']): boolean =>
  left_out !== undefined && Object.keys(others).length === 0

export const isBlock = ({ status }: SourceRow['values']): boolean => status?.toLowerCase() === 'blocked'

/**
 * The most rows of a file. The importer reads all rows before it imports the first row, so larger files must be split.
 */
export const MAX_ROWS = 100_000
export const MAX_FIELD_CHARACTERS = 10_000

const ofBooking = ['id', 'start', 'end', 'service', 'with', 'place', 'status', 'paid', 'people', 'left_out'] as const
const ofPerson = ['name', 'first_name', 'last_name', 'email', 'phone', 'customer_notes'] as const
const ofEither = ['notes', 'line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const

/** The columns that an import file can have. The documentation page docs/import.md explains them. */
export const columns = [...ofBooking, ...ofPerson, ...ofEither] as const
export type Column = (typeof columns)[number]

/** One row of an import file, such as a booking. If `fault` is set, the import refuses the row for this reason. */
export interface SourceRow {
  line: number
  values: Partial<Record<Column, string>>
  fault?: string
  /** Texts about values of the row that the import does not store. The texts contain no personal data. */
  leftOut?: string[]
  /** Whether the row contains only data of a customer, and no booking. */
  isPersonAlone?: boolean
}

export const isPersonAlone = (values: SourceRow['values']): boolean =>
  ofPerson.some((column) => values[column] !== undefined) && ofBooking.every((column) => values[column] === undefined)

/**
 * Whether the row has only the column `left_out`. An export writes such a row to list data that the export does not
 * contain.
 */
export const isLeftOutAlone = ({ left_out, ...others }: SourceRow['values']): boolean =>
  left_out !== undefined && Object.keys(others).length === 0

export const isBlock = ({ status }: SourceRow['values']): boolean => status?.toLowerCase() === 'blocked'

/**
 * The maximum number of rows of an import file. The import reads all rows into memory first, so people must split
 * larger files.
 */
export const MAX_ROWS = 100_000
export const MAX_FIELD_CHARACTERS = 10_000

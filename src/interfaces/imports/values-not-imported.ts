import { isBlock, type SourceRow } from './source-row.ts'

const OF_ADDRESS = ['line2', 'city', 'region', 'postal_code', 'country'] as const
/** The columns that a block can have. The service can be an option of the whole import. */
const OF_BLOCK = ['id', 'start', 'end', 'with', 'status', 'notes', 'left_out', 'service']

/** Values of a row that the import does not store, including `left_out`. */
export function valuesNotImported(values: SourceRow['values'], beyond: readonly string[]): string[] {
  const besides = isBlock(values) ? Object.keys(values).filter((column) => !OF_BLOCK.includes(column)) : []
  const isCut = besides.length === 0 && values.line1 === undefined && OF_ADDRESS.some((part) => values[part])
  return [
    ...(values.left_out === undefined ? [] : [values.left_out]),
    ...(besides.length > 0 ? [`of time that is blocked, ${besides.join(', ')}`] : []),
    ...(isCut ? ['of an address without line1, the rest'] : []),
    ...(beyond.some((cell) => cell.trim() !== '') ? ['what stands in columns without a name'] : []),
  ]
}

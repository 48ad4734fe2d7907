import { isBlock, type SourceRow } from './source-row.ts'

const OF_ADDRESS = ['line2', 'city', 'region', 'postal_code', 'country'] as const
/** Of time that is blocked there is nothing else to say; what all are of is no word of the row. */
const OF_BLOCK = ['id', 'start', 'end', 'with', 'status', 'notes', 'left_out', 'service']

/** What a row of a table says that stands nowhere afterwards, and what it says itself that it leaves out. */
export function notTakenIn(values: SourceRow['values'], beyond: readonly string[]): string[] {
  const besides = isBlock(values) ? Object.keys(values).filter((column) => !OF_BLOCK.includes(column)) : []
  const isCut = besides.length === 0 && values.line1 === undefined && OF_ADDRESS.some((part) => values[part])
  return [
    ...(values.left_out === undefined ? [] : [values.left_out]),
    ...(besides.length > 0 ? [`of time that is blocked, ${besides.join(', ')}`] : []),
    ...(isCut ? ['of an address without line1, the rest'] : []),
    ...(beyond.some((cell) => cell.trim() !== '') ? ['what stands in columns without a name'] : []),
  ]
}

import { PlainError } from '../../infra/util/command-line-error.ts'
import { type Column, columns, isBlock, isLeftOutAlone, isPersonAlone, type SourceRow } from './import-columns.ts'
import { readCsv } from './parse-csv.ts'
import type { ImportOptions } from './read-import-file.ts'

const isColumn = (name: string): name is Column => columns.some((column) => column === name)

/**
 * Reads the rows of a CSV file to import. The first row has the column names, in any order. Unknown columns cause a
 * warning.
 */
export async function* csvRows(chunks: AsyncIterable<string>, reading: ImportOptions): AsyncGenerator<SourceRow> {
  let names: string[] | undefined
  for await (const { line, cells } of readCsv(chunks)) {
    if (names === undefined) {
      names = cells.map((cell) =>
        cell
          .trim()
          .toLowerCase()
          .replaceAll(/[\s-]+/g, '_'),
      )
      checkNames(names, reading)
      continue
    }
    const named = names.flatMap((name, index) => (isColumn(name) ? [[name, plain(cells[index] ?? '')] as const] : []))
    const filled = Object.fromEntries(named.filter(([, value]) => value !== ''))
    const ofAll = reading.service !== undefined && !isLeftOutAlone(filled) && { service: reading.service }
    const values = { ...ofAll, ...filled }
    const nameless = names.flatMap((name, index) => (name === '' ? [cells[index] ?? ''] : []))
    const isLonger = cells.slice(names.length).some((cell) => cell.trim() !== '')
    yield {
      line,
      values,
      isPersonAlone: isPersonAlone(filled),
      leftOut: valuesNotImported(filled, nameless),
      ...(isLonger && { fault: `It has ${cells.length} fields, and there are ${names.length} columns.` }),
    }
  }
  if (names === undefined) throw new PlainError('The file is empty.')
}

const [MOST_NAMED, LONGEST_NAME] = [50, 60]

function checkNames(names: string[], { service, warn }: ImportOptions): void {
  const twice = names.find((name, index) => isColumn(name) && names.indexOf(name) !== index)
  if (twice) throw new PlainError(`Line 1: there are two columns called ${twice}.`)
  const missing = (service === undefined ? ['start', 'service'] : ['start']).filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new PlainError(
      `Line 1: a column ${missing.join(' and one ')} is missing. The first row names the columns: ${columns.join(', ')}.`,
    )
  const unread = names.filter((name) => name !== '' && !isColumn(name))
  const named = unread.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAME))
  const more = unread.length > MOST_NAMED ? `, and ${unread.length - MOST_NAMED} more` : ''
  if (unread.length > 0) warn(`These columns are not read: ${named.join(', ')}${more}.`)
}

/**
 * Returns the text of a CSV cell. Spreadsheets write an apostrophe before a text that looks like a formula, such as
 * `+49`. The function removes this apostrophe.
 */
const plain = (cell: string) => cell.trim().replace(/^'(?=[=+@-])/, '')

const OF_ADDRESS = ['line2', 'city', 'region', 'postal_code', 'country'] as const
/**
 * The columns that the import accepts in a row that blocks a time. The import does not store the values of other
 * columns, but reports them.
 */
const OF_BLOCK = ['id', 'start', 'end', 'with', 'status', 'notes', 'left_out', 'service']

/**
 * Lists the values of a row that the import does not store. In an exported file, the column `left_out` already names
 * values that the export lost.
 */
function valuesNotImported(values: SourceRow['values'], beyond: readonly string[]): string[] {
  const besides = isBlock(values) ? Object.keys(values).filter((column) => !OF_BLOCK.includes(column)) : []
  const isCut = besides.length === 0 && values.line1 === undefined && OF_ADDRESS.some((part) => values[part])
  return [
    ...(values.left_out === undefined ? [] : [values.left_out]),
    ...(besides.length > 0 ? [`of time that is blocked, ${besides.join(', ')}`] : []),
    ...(isCut ? ['of an address without line1, the rest'] : []),
    ...(beyond.some((cell) => cell.trim() !== '') ? ['what stands in columns without a name'] : []),
  ]
}

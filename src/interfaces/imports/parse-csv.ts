import { PlainError } from '../../infra/util/command-line-error.ts'
import { MAX_FIELD_CHARACTERS } from './import-columns.ts'
import { lines } from './split-text-lines.ts'

/** Maps each CSV separator to the pattern of one field. A field is in quotes, or ends at the next separator. */
const fields = {
  ',': /(?:"([^"]*(?:""[^"]*)*)"|((?!")[^,]*))(,|$)/y,
  ';': /(?:"([^"]*(?:""[^"]*)*)"|((?!")[^;]*))(;|$)/y,
  '\t': /(?:"([^"]*(?:""[^"]*)*)"|((?!")[^\t]*))(\t|$)/y,
}
type Separator = keyof typeof fields
const LONGEST_ROW = 20 * MAX_FIELD_CHARACTERS

interface CsvRow {
  line: number
  cells: string[]
}

/**
 * Reads the rows of a CSV file (RFC 4180). Many spreadsheets in Europe write semicolons instead of commas. Therefore
 * the function detects the separator in the first line.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let separator: Separator | undefined
  let [row, begins, line, isOpen] = ['', 1, 0, false]
  for await (const text of lines(chunks)) {
    line++
    row = isOpen ? `${row}\n${text}` : text
    separator ??= separatorOf(text)
    if (row.length > LONGEST_ROW) throw unreadable(begins, `the row has more than ${LONGEST_ROW} characters`)
    // If a quote is still open at the end of a line, the CSV row continues on the next line.
    isOpen = hasOddQuotes(text) !== isOpen
    if (isOpen) continue
    if (row.trim() !== '') yield { line: begins, cells: cellsOf(row, separator, begins) }
    begins = line + 1
  }
  if (isOpen) throw unreadable(begins, 'the quotes that begin in this row never end')
}

const separatorOf = (head: string): Separator =>
  ([',', ';', '\t'] as const).reduce((best, one) => (head.split(one).length > head.split(best).length ? one : best))

const hasOddQuotes = (text: string) => text.split('"').length % 2 === 0

function cellsOf(row: string, separator: Separator, line: number): string[] {
  const cells: string[] = []
  const field = fields[separator]
  field.lastIndex = 0
  for (let isLast = false; !isLast; ) {
    const [, quoted, plain = '', end] = field.exec(row) ?? []
    if (end === undefined) throw unreadable(line, 'something stands behind the quotes that end a field')
    const text = quoted?.replaceAll('""', '"') ?? plain
    if (text.length > MAX_FIELD_CHARACTERS)
      throw unreadable(line, `a field has more than ${MAX_FIELD_CHARACTERS} characters`)
    cells.push(text)
    isLast = end === ''
  }
  return cells
}

const unreadable = (line: number, what: string) => new PlainError(`Line ${line}: ${what}. Nothing was done.`)

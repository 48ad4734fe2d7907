import { PlainError } from '../../infra/util/command-line-error.ts'
import { MAX_FIELD_CHARACTERS } from './import-columns.ts'
import { lines } from './split-text-lines.ts'

/**
 * A line of a calendar file (RFC 5545), such as `ATTENDEE;CN="Ann Lee":mailto:ann@example.com`. The name is empty if
 * the line is invalid.
 */
export interface Property {
  line: number
  name: string
  parameters: Record<string, string>
  value: string
}

/**
 * Reads the lines of a calendar file. Calendar programs split a long line into several lines, and this function joins
 * them again.
 */
export async function* properties(chunks: AsyncIterable<string>): AsyncGenerator<Property> {
  let [text, begins, line] = ['', 1, 0]
  for await (const next of lines(chunks)) {
    line++
    if (line === 1 && !/^BEGIN:VCALENDAR\s*$/i.test(next)) throw new PlainError('Line 1: this is no calendar.')
    if (/^[ \t]/.test(next)) text += next.slice(1)
    else {
      yield* parsed(text, begins)
      text = next
      begins = line
    }
    if (text.length > MAX_FIELD_CHARACTERS)
      throw new PlainError(`Line ${begins}: it has more than ${MAX_FIELD_CHARACTERS} characters.`)
  }
  if (line === 0) throw new PlainError('The file is empty.')
  yield* parsed(text, begins)
}

const LINE = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/s
const PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"|[^;]*)/g

function* parsed(text: string, line: number): Generator<Property> {
  if (text.trim() === '') return
  const [, name = '', parameterText = '', value = ''] = LINE.exec(text) ?? []
  const parameters = Object.fromEntries(
    [...parameterText.matchAll(PARAMETER)].map(([, key = '', one = '']) => [
      key.toUpperCase(),
      one.replaceAll('"', ''),
    ]),
  )
  yield { line, name: name.toUpperCase(), parameters, value }
}

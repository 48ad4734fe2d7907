import { PlainError } from '../../infra/util/command-line-error.ts'

const LONGEST_LINE = 100_000

/** Splits a text into lines without line ends. Also removes the byte order mark at the start of the text. */
export async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let isFirst = true
  for await (const chunk of chunks) {
    const whole = (rest + (isFirst ? chunk.replace(/^\uFEFF/, '') : chunk)).split('\n')
    isFirst &&= chunk === ''
    rest = whole.pop() ?? ''
    if (rest.length > LONGEST_LINE)
      throw new PlainError(`A line has more than ${LONGEST_LINE} characters. Nothing was done.`)
    for (const one of whole) yield one.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

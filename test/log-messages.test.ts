import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where a level of a log is called, such as `log.warn(` and `request.log.error(`. */
const CALL = /\blog\.(?:trace|debug|info|warn|error|fatal)\(/gi

/** The arguments of a call whose parenthesis opens before `from`, without regard to commas within strings and brackets. */
function argumentsOf(source: string, from: number): string[] {
  const found = ['']
  const open: string[] = []
  let quote = ''
  for (let at = from; at < source.length; at++) {
    const letter = source[at] ?? ''
    if (quote) quote = letter === quote && source[at - 1] !== '\\' ? '' : quote
    else if (/['"`]/.test(letter)) quote = letter
    else if (/[([{]/.test(letter)) open.push(letter)
    else if (/[)\]}]/.test(letter) && open.pop() === undefined) break
    else if (letter === ',' && open.length === 0) {
      found.push('')
      continue
    }
    found[found.length - 1] += letter
  }
  return found.map((one) => one.trim()).filter(Boolean)
}

const calls = globSync('src/**/*.ts').flatMap((file) => {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(CALL)].map((call) => ({ file, given: argumentsOf(source, call.index + call[0].length) }))
})

const isSentence = (text: string) => /^['`](?:[A-Z]\w*:?|\$\{\w+\}) .* .*[.!]['`]$/s.test(text)

test('each message of the log is a sentence, and not the name of a thing', () => {
  expect(calls.length).toBeGreaterThan(40)
  const messages = calls.flatMap(({ file, given: [first = '', second] }) => {
    // The line of a request has members alone, and a message that stands by itself may be a sentence made elsewhere.
    const message = second ?? (/^['`]/.test(first) ? first : undefined)
    return message === undefined || /^\w+\(.*\)$/.test(message) ? [] : [{ file, message }]
  })
  expect(messages.length).toBeGreaterThan(40)
  expect(messages.filter(({ message }) => !isSentence(message))).toEqual([])
})

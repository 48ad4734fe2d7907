import { ProtocolError } from './errors.ts'

const DEEPEST = 64
const MOST_VALUES = 50_000

/** Parses a request body that is neither too deep nor too long for whatever walks it later. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString('utf8')
  refuseUnwieldy(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolError('invalid_request', 'The body is not valid JSON.')
  }
}

/** Who walks the value may recurse, and takes longer over many small values than it took to send them. */
function refuseUnwieldy(text: string) {
  let depth = 0
  let values = 1
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]|,/gs)) {
    if (token === ',') values++
    else if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > DEEPEST) throw new ProtocolError('invalid_request', `The body nests deeper than ${DEEPEST} levels.`)
    if (values > MOST_VALUES)
      throw new ProtocolError('invalid_request', `The body holds more than ${MOST_VALUES} values.`)
  }
}

/** Paths of strings that no database column can hold: NUL characters and lone surrogates. */
export function* unstorableText(value: unknown, path: string[] = []): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) yield path.join('.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      if (name.includes('\0') || !name.isWellFormed()) yield path.join('.')
      yield* unstorableText(child, [...path, name])
    }
  }
}

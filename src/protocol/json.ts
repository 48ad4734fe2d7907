import { ProtocolError } from './errors.ts'

const DEEPEST = 64

/** Parses a request body. Nesting is bounded first: what walks the value later may recurse. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString('utf8')
  if (depthOf(text) > DEEPEST)
    throw new ProtocolError('invalid_request', `The body nests deeper than ${DEEPEST} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolError('invalid_request', 'The body is not valid JSON.')
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === ']' || token === '}') depth--
  }
  return deepest
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

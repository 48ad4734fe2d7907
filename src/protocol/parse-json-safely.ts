import { isUtf8 } from 'node:buffer'
import canonicalize from 'canonicalize'
import { ProtocolError } from './errors.ts'

/**
 * Limits of a JSON document: its nesting depth, its number of values, and the bytes of its longest text or property
 * name.
 */
export interface Bounds {
  deepest: number
  mostValues: number
  longestText: number
}

export const bodyBounds: Bounds = { deepest: 64, mostValues: 10_000, longestText: 64 * 1024 }

/**
 * The error for a document that the server cannot parse. Its message completes a sentence, such as "The body is not
 * valid JSON".
 */
export class UnreadableDocumentError extends Error {}

export function parseJson(body: Buffer): unknown {
  try {
    return readJson(body, bodyBounds)
  } catch (error) {
    throw error instanceof UnreadableDocumentError
      ? new ProtocolError('invalid_request', `The body ${error.message}.`)
      : error
  }
}

/**
 * Parses a JSON document within limits. The nesting depth is limited, so that recursive code can safely process the
 * result.
 */
export function readJson(document: Buffer, bounds: Bounds): unknown {
  refuseOversized(document, bounds)
  // A decoder would replace each invalid UTF-8 byte by the character U+FFFD, and the server would store wrong names.
  if (!isUtf8(document)) throw new UnreadableDocumentError('is not UTF-8')
  try {
    return JSON.parse(document.toString('utf8'))
  } catch {
    throw new UnreadableDocumentError('is not valid JSON')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [...Buffer.from('"\\,')]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [...Buffer.from('[]{}')]
/**
 * The bytes that the limit check of a JSON document counts: quotes, commas and brackets. The check skips all other
 * bytes.
 */
const counts = new Uint8Array(256)
for (const byte of Buffer.from('",[]{}')) counts[byte] = 1

/**
 * Refuses JSON documents that nest too deeply or have too many values. Deep nesting could overflow the stack of
 * recursive code. Many small values take little time to send, but much time to process.
 */
function refuseOversized(document: Buffer, { deepest, mostValues, longestText }: Bounds) {
  let depth = 0
  let values = 1
  let texts = 0
  let textFrom: number | undefined
  // In UTF-8, no multi-byte character contains the bytes of quotes, commas or brackets. Therefore the scan can compare
  // single bytes.
  for (let at = 0; at < document.length; at++) {
    const byte = document[at] ?? 0
    if (textFrom !== undefined) {
      if (at - textFrom > longestText + 1)
        throw new UnreadableDocumentError(`holds a text of more than ${longestText} bytes`)
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) textFrom = undefined
      continue
    }
    if (counts[byte] === 0) continue
    if (byte === QUOTE) {
      textFrom = at
      texts++
    } else if (byte === COMMA) values++
    else if (byte === LIST_END || byte === OBJECT_END) depth--
    else if (byte === LIST || byte === OBJECT) {
      depth++
      values++
    }
    if (depth < 0) throw new UnreadableDocumentError('is not valid JSON')
    if (depth > deepest) throw new UnreadableDocumentError(`nests deeper than ${deepest} levels`)
    // Each value has at most two texts: the value itself and its property name.
    if (values > mostValues || texts > 2 * mostValues)
      throw new UnreadableDocumentError(`holds more than ${mostValues} values`)
  }
}

/**
 * Finds texts that the database cannot store, because they contain NUL characters or lone surrogates. Returns the paths
 * of at most `most` texts.
 */
export function unstorableText(value: unknown, most: number): string[][] {
  const found: string[][] = []
  someText(value, (text, path) => {
    if (text.includes('\0') || !text.isWellFormed()) found.push([...path])
    return found.length >= most
  })
  return found
}

export const isStorable = (value: unknown): boolean => unstorableText(value, 1).length === 0

/**
 * A value within these limits is small enough to process a second time without delay. `texts` limits the number of
 * strings and property names. `characters` limits the total length of these texts.
 */
const SMALL = { texts: 1_000, characters: 50_000 }

export function isSmall(value: unknown): boolean {
  let { texts, characters } = SMALL
  return !someText(value, (text) => {
    texts--
    characters -= text.length
    return texts < 0 || characters < 0
  })
}

/**
 * Whether `holds` returns true for any string or property name in the value. For a property name, `holds` gets the path
 * of its object.
 */
function someText(
  value: unknown,
  holds: (text: string, path: readonly string[]) => boolean,
  path: string[] = [],
): boolean {
  if (typeof value === 'string') return holds(value, path)
  if (typeof value !== 'object' || value === null) return false
  for (const [name, child] of Object.entries(value)) {
    if (holds(name, path)) return true
    path.push(name)
    if (someText(child, holds, path)) return true
    path.pop()
  }
  return false
}

/** Returns the canonical JSON text of a value (RFC 8785). Empty if the value has no canonical text. */
export function canonical(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return ''
  }
}

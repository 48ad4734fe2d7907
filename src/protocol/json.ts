import { isUtf8 } from 'node:buffer'
import canonicalize from 'canonicalize'
import { ProtocolError } from './errors.ts'

/** Limits for a JSON document: nesting depth, number of values, and bytes of one text or name. */
export interface Bounds {
  deepest: number
  mostValues: number
  longestText: number
}

export const bodyBounds: Bounds = { deepest: 64, mostValues: 10_000, longestText: 64 * 1024 }

/** The error for a document that was not read. Its message completes a sentence, such as `is not valid JSON`. */
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

/** Parses a document within limits, so that later code can walk the result safely. */
export function readJson(document: Buffer, bounds: Bounds): unknown {
  refuseOversized(document, bounds)
  // A decoder would replace each invalid byte by U+FFFD, and the server would store names with this character.
  if (!isUtf8(document)) throw new UnreadableDocumentError('is not UTF-8')
  try {
    return JSON.parse(document.toString('utf8'))
  } catch {
    throw new UnreadableDocumentError('is not valid JSON')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [...Buffer.from('"\\,')]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [...Buffer.from('[]{}')]
/** Marks the bytes that the scan must look at. The scan skips all other bytes quickly. */
const counts = new Uint8Array(256)
for (const byte of Buffer.from('",[]{}')) counts[byte] = 1

/**
 * Refuses documents that are too deep or have too many values. Later code may recurse, and many small values take
 * longer to process than to send.
 */
function refuseOversized(document: Buffer, { deepest, mostValues, longestText }: Bounds) {
  let depth = 0
  let values = 1
  let texts = 0
  let textFrom: number | undefined
  // In UTF-8, none of the marked bytes is ever part of another character, so the scan can compare bytes.
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
    // A value needs at most two texts: its own text and its name.
    if (values > mostValues || texts > 2 * mostValues)
      throw new UnreadableDocumentError(`holds more than ${mostValues} values`)
  }
}

/**
 * Finds texts that no database column can store, because they contain NUL characters or lone surrogates. Returns their
 * paths, `most` at most.
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

/** Limits for a value that code may walk more than once: the number of texts and member names, and their characters. */
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
 * Whether `holds` returns true for any text in the value. A text is a string, or a member name with the path of its
 * object.
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

/** The canonical JSON text of a value (RFC 8785); empty for a value without a canonical form. */
export function canonical(value: unknown): string {
  try {
    return canonicalize(value) ?? ''
  } catch {
    return ''
  }
}

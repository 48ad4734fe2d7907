/**
 * Paths of text that no database column can store: NUL characters and lone surrogates. The search stops after `most` paths.
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

/** Limits for a value that may be walked more than once: number of texts and member names, and their characters. */
const SMALL = { texts: 1_000, characters: 50_000 }

export function isSmall(value: unknown): boolean {
  let { texts, characters } = SMALL
  return !someText(value, (text) => {
    texts--
    characters -= text.length
    return texts < 0 || characters < 0
  })
}

/** Whether `holds` is true for a text in the value: a string, or a member name with the path of its object. */
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

/** One wrong change of the source code. */
export interface Fault {
  file: string
  line: number
  /** The start of the changed text in the file. `to` is its end. */
  from: number
  to: number
  original: string
  changed: string
  kind: 'expression' | 'statement'
  /** The rest of the line before and after the changed text. */
  around: [string, string]
  /** Whether the code runs only once, when Node loads its module. */
  atLoad: boolean
}

/**
 * Returns the name of a fault in lists. The name contains the changed line instead of a line number, because line
 * numbers change often.
 */
export function nameOf({ file, original, changed, kind, around }: Fault): string {
  const replacement = kind === 'statement' ? '' : changed
  const [before, after] = [original, replacement].map((text) => oneLine(around[0] + text + around[1]))
  return `${file}: \`${difference(before ?? '', after ?? '')}\``
}

export const overlap = (one: Fault, other: Fault): boolean =>
  one.file === other.file && one.from < other.to && other.from < one.to

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()

/** Returns a line with its change, such as `a [< → <=] b`. */
function difference(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < shorter && before[start] === after[start]) start++
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [from, to] = [Math.max(0, start - 70), before.length - end]
  const [was, is] = [before.slice(start, to), after.slice(start, after.length - end)]
  return `${before.slice(from, start)}[${was} → ${is}]${before.slice(to, to + 50)}`
}

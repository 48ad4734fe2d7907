/** One wrong change of a piece of source code. */
export interface Fault {
  file: string
  line: number
  /** The range in the text of the file. */
  from: number
  to: number
  original: string
  changed: string
  kind: 'expression' | 'statement'
  /** The rest of the line, before and after the range. */
  around: [string, string]
  /** Whether the code runs once, when its module is loaded. */
  atLoad: boolean
}

/** The name of a fault in lists: the line before and after the change. Line numbers would move. */
export function nameOf({ file, original, changed, kind, around }: Fault): string {
  const replacement = kind === 'statement' ? '' : changed
  const [before, after] = [original, replacement].map((text) => oneLine(around[0] + text + around[1]))
  return `${file}: \`${difference(before ?? '', after ?? '')}\``
}

export const overlap = (one: Fault, other: Fault): boolean =>
  one.file === other.file && one.from < other.to && other.from < one.to

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()

/** `a [< → <=] b` */
function difference(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < shorter && before[start] === after[start]) start++
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [from, to] = [Math.max(0, start - 70), before.length - end]
  const [was, is] = [before.slice(start, to), after.slice(start, after.length - end)]
  return `${before.slice(from, start)}[${was} → ${is}]${before.slice(to, to + 50)}`
}

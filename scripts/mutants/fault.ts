/** One way to write a piece of the sources wrongly. */
export interface Fault {
  /** From the top of the repository. */
  file: string
  line: number
  /** Where it stands in the text of the file. */
  from: number
  to: number
  original: string
  changed: string
  kind: 'expression' | 'statement'
  /** The rest of its line, on either side. */
  around: [string, string]
  /** Decided once, as its file is loaded, whoever is the first to need it. */
  atLoad: boolean
}

/** How a fault is called wherever it is listed: by its line as it is and as it would be, since numbers of lines move. */
export function nameOf({ file, original, changed, kind, around }: Fault): string {
  const wrong = kind === 'statement' ? '' : changed
  const [before, after] = [original, wrong].map((text) => oneLine(around[0] + text + around[1]))
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

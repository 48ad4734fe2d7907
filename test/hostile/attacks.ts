import type { Pattern } from './source.ts'

/** A text of any length that is made to keep a pattern busy. */
export interface Attack {
  what: string
  text(length: number): string
}

/** A part of a pattern: something that is matched, what it may look like, and whether it may be repeated. */
interface Part {
  source: string
  /** Of a group: what may stand in it, each a list of parts. */
  choices: Part[][]
  least: number
  most: number
}

const characters = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u00a0\u00e9\u0301\u2028\u3000\u4e00\ufeff\ud800',
]
/** What ends a text so that a pattern that took all of it must go back. */
const endings = ['', '\0', '\n', ' ', 'a', '1', '!', '@', '"', '.', '/', ':', '%', ',', '\u00e9']
const MOST_PIECES = 12

/**
 * For every part that repeats: what leads to it, as much of what it matches as there is room for, and an end that may
 * not follow. Repeated are its own texts and those of the part after it, by turns: so two parts that could each take
 * the same text are set against one another.
 */
export function attacksOn({ source, flags }: Pattern): Attack[] {
  const plain = flags.replace(/[gy]/g, '')
  const parts = partsOf(source)
  const attacks: Attack[] = []
  const visit = (list: Part[], before: string) => {
    let lead = before
    for (const [index, part] of list.entries()) {
      for (const choice of part.choices) visit(choice, lead)
      const next = list[index + 1]
      if (part.most > 1) {
        const own = textsOf(part, plain)
        const pieces = new Set([...own, ...(next ? textsOf(next, plain) : [])].filter((text) => text !== ''))
        for (const piece of [...pieces].slice(0, MOST_PIECES)) attacks.push(...repeated(lead, piece))
        const [one = ''] = own
        const [other = ''] = next ? textsOf(next, plain) : []
        if (one + other) attacks.push(...repeated(lead, one + other))
      }
      lead += textsOf(part, plain)[0] ?? ''
    }
  }
  visit(parts, '')
  // What is looked for anywhere is looked for from each place anew.
  for (const piece of new Set([sampleOf(parts, plain).slice(0, -1), ' ', 'a']))
    if (piece) attacks.push(...repeated('', piece))
  return unlike(attacks)
}

const repeated = (lead: string, piece: string): Attack[] =>
  endings.map((end) => ({
    what: JSON.stringify([lead, piece, end]),
    text: (length) => (lead + piece.repeat(Math.ceil(length / piece.length))).slice(0, length - end.length) + end,
  }))

const unlike = (attacks: Attack[]) => [...new Map(attacks.map((attack) => [attack.what, attack])).values()]

const sampleOf = (parts: Part[], flags: string) => parts.map((part) => textsOf(part, flags)[0] ?? '').join('')

/** Texts that the part matches once; the characters of a class from all over it. */
function textsOf(part: Part, flags: string): string[] {
  if (part.choices.length > 0) return part.choices.map((choice) => sampleOf(choice, flags))
  if (part.source === '') return ['']
  const matched = characters.filter((one) => new RegExp(`^(?:${part.source})$`, flags).test(one))
  const step = Math.max(1, Math.floor(matched.length / 5))
  const spread = matched.filter((_, index) => index % step === 0)
  return [...new Set(['a', '1', ...spread].filter((one) => matched.includes(one)))]
}

const ASSERTION = /^(?:\\[bB]|\^|\$|\(\?<?[=!])/
const GROUP = /^\((?:\?:|\?<\w+>)?/
const ATOM =
  /^(?:\[(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|[\s\S])/iu
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/

function partsOf(source: string): Part[] {
  const { choices, rest } = choicesOf(source)
  if (rest !== '') throw new Error(`This pattern cannot be taken apart: ${source}`)
  return [{ source: '', choices, least: 1, most: 1 }]
}

/** Alternatives up to the end of their group. */
function choicesOf(source: string): { choices: Part[][]; rest: string } {
  const choices: Part[][] = [[]]
  let rest = source
  while (rest !== '' && !rest.startsWith(')')) {
    if (rest.startsWith('|')) {
      choices.push([])
      rest = rest.slice(1)
      continue
    }
    const { part, after } = partAt(rest)
    choices.at(-1)?.push(part)
    rest = after
  }
  return { choices, rest }
}

function partAt(source: string): { part: Part; after: string } {
  const [assertion] = ASSERTION.exec(source) ?? []
  const isGroup = source.startsWith('(') && assertion === undefined
  if (assertion !== undefined && !assertion.startsWith('('))
    return { part: { source: '', choices: [], least: 1, most: 1 }, after: source.slice(assertion.length) }
  const opening = assertion ?? (isGroup ? (GROUP.exec(source)?.[0] ?? '(') : '')
  const group = opening === '' ? undefined : choicesOf(source.slice(opening.length))
  const atom = group ? '' : (ATOM.exec(source)?.[0] ?? '')
  const rest = group ? group.rest.slice(1) : source.slice(atom.length)
  const [quantifier = '', low, range, high] = QUANTIFIER.exec(rest) ?? []
  const least = low === undefined ? (quantifier.startsWith('+') || quantifier === '' ? 1 : 0) : Number(low)
  const most =
    quantifier === '' || quantifier.startsWith('?')
      ? 1
      : low === undefined || high === ''
        ? Number.POSITIVE_INFINITY
        : Number(range === undefined ? low : high)
  return { part: { source: atom, choices: group?.choices ?? [], least, most }, after: rest.slice(quantifier.length) }
}

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A regular expression as it stands in the source. */
export interface Pattern {
  file: string
  source: string
  flags: string
}

/** A function that is called, as it is written, such as `JSON.parse`; `new URL` of a constructor. */
export interface Called {
  file: string
  name: string
  /** What it is called with, as it is written. */
  given: string
}

type Node = { type: string; start: number; end: number; [member: string]: unknown }

const isNode = (value: unknown): value is Node => typeof Object(value).type === 'string'

/** Everything in the source that matches: nobody has to think of what is new. */
function* nodes(): Generator<{ file: string; node: Node; textOf: (node: unknown) => string }> {
  for (const path of globSync('{src,packages/client}/**/*.ts', { cwd: root }).sort()) {
    if (path.endsWith('.d.ts') || path.endsWith('.generated.ts')) continue
    const file = path.replace(/^src\//, '')
    const text = readFileSync(root + path, 'utf8')
    const textOf = (node: unknown) => (isNode(node) ? text.slice(node.start, node.end) : '')
    for (const node of below(parseAst(text, { lang: 'ts' }))) yield { file, node, textOf }
  }
}

function* below(value: unknown): Generator<Node> {
  if (isNode(value)) yield value
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return
  for (const child of Object.values(value)) yield* below(child)
}

const all = [...nodes()]

export const patterns: Pattern[] = all.flatMap(({ file, node }) => {
  const { pattern: source, flags } = Object(node.regex)
  return node.type === 'Literal' && typeof source === 'string' ? [{ file, source, flags: String(flags) }] : []
})

export const calls: Called[] = all.flatMap(({ file, node, textOf }) => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
  const given = Array.isArray(node.arguments) ? node.arguments.map(textOf).join(', ') : ''
  return [{ file, name: `${node.type === 'NewExpression' ? 'new ' : ''}${textOf(node.callee)}`, given }]
})

/** What is read of packages: `import { parseDictionary } from 'structured-headers'` is `structured-headers parseDictionary`. */
export const imports: { file: string; name: string }[] = all.flatMap(({ file, node }) => {
  const from = Object(node.source).value
  if (node.type !== 'ImportDeclaration' || typeof from !== 'string' || from.startsWith('.')) return []
  if (node.importKind === 'type' || !Array.isArray(node.specifiers)) return []
  return node.specifiers
    .filter(({ importKind }) => importKind !== 'type')
    .map(({ imported, local }) => ({ file, name: `${from} ${imported?.name ?? local.name}` }))
})

/** Names of request headers that the source reads. */
export const headerNames: string[] = [
  ...new Set(
    all.flatMap(({ node, textOf }) => {
      if (node.type !== 'MemberExpression' || !/(^|\.)headers$/.test(textOf(node.object))) return []
      const { name, value } = Object(node.property)
      return node.computed ? (typeof value === 'string' ? [value] : []) : [name]
    }),
  ),
].sort()

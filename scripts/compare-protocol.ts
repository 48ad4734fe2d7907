/**
 * `npm run compare-protocol -- OLD NEW` compares two copies of the published protocol: schemas, OpenAPI, OpenRPC, test
 * vectors, the specification and the change log. It lists the changes. In JSON files other than test vectors, it ignores
 * titles, descriptions and examples. The exit code is 0 without changes, 1 with changes, and 2 if a folder has no such
 * files.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROSE = new Set(['title', 'description', 'summary', 'examples', 'example', '$comment'])
/** The texts of a test vector are data, such as the name of a service in a request. */
const PROSE_OF_VECTORS = new Set<string>()
/** Lists in which the order of the items has no meaning. */
const SETS = new Set(['required', 'enum', 'type', 'tags'])
/** Folders of the published repository with other files, such as copies of schemas for its web site. */
const IGNORED = ['**/node_modules/**', '**/playground/**', '**/site-docs/**', '**/plans/**']
/** Copies differ in the folders above these files: the repository has `tests/vectors`, other copies have `vectors`. */
const PROTOCOL_FILE = /(?:^|\/)((?:schemas|openapi|openrpc|vectors)\/.+\.json|specification\.md|CHANGE_LOG\.md)$/
const MOST_LINES = 200

/** Returns one line for each difference, such as `schemas/catalog.json /$defs/Service/required: added "id"`. */
export function compareFolders(before: string, after: string): string[] {
  const [old, current] = [filesIn(before), filesIn(after)]
  return [...new Set([...old.keys(), ...current.keys()])].toSorted().flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)]
    if (is === undefined) return [`${name}: removed`]
    if (was === undefined) return [`${name}: added`]
    if (name.endsWith('.md')) return lineChanges(was, is).map((line) => `${name}: ${line}`)
    const prose = name.startsWith('vectors/') ? PROSE_OF_VECTORS : PROSE
    return differences(JSON.parse(textOf(was)), JSON.parse(textOf(is)), { path: '', prose }).map(
      (line) => `${name} ${line}`,
    )
  })
}

/** Returns the paths of the protocol's files, by their path from the first folder that all copies have. */
function filesIn(folder: string): Map<string, string> {
  const found = globSync('**/*.{json,md}', { cwd: folder, exclude: IGNORED }).flatMap((path): [string, string][] => {
    const name = PROTOCOL_FILE.exec(path)?.[1]
    return name === undefined ? [] : [[name, join(folder, path)]]
  })
  if (found.length === 0) throw new UnknownFolderError(`${folder} has no files of the protocol.`)
  return new Map(found)
}

class UnknownFolderError extends Error {
  override name = 'UnknownFolderError'
}

const textOf = (path: string) => readFileSync(path, 'utf8')

const lineChanges = (before: string, after: string): string[] => [
  ...linesOnlyIn(before, after).map((line) => `removed line: ${line}`),
  ...linesOnlyIn(after, before).map((line) => `new line: ${line}`),
]

function linesOnlyIn(text: string, other: string): string[] {
  const known = new Set(textOf(other).split('\n'))
  const lines = textOf(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !known.has(line))
  const more = lines.length - MOST_LINES
  return [...lines.slice(0, MOST_LINES).map((line) => shortened(line)), ...(more > 0 ? [`and ${more} more`] : [])]
}

interface Place {
  path: string
  /** The members whose texts explain something and are no rules. */
  prose: ReadonlySet<string>
}

function differences(before: unknown, after: unknown, place: Place): string[] {
  const { path } = place
  const key = path.slice(path.lastIndexOf('/') + 1)
  if (Array.isArray(before) && Array.isArray(after) && SETS.has(key)) return ofSets(before, after, path)
  if (isObject(before) && isObject(after)) return ofMembers(before, after, place)
  const [old, current] = [JSON.stringify(before), JSON.stringify(after)]
  return old === current ? [] : [`${path}: was ${shortened(old)}, is ${shortened(current)}`]
}

function ofMembers(before: Record<string, unknown>, after: Record<string, unknown>, place: Place): string[] {
  const { path, prose } = place
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const at = `${path}/${name}`
    const value = after[name] ?? before[name]
    // A property of a schema can have a name like `title`. Then its value is an object, and the comparison must not
    // ignore it.
    if (prose.has(name) && (typeof value === 'string' || Array.isArray(value))) return []
    if (!(name in after)) return [`${at}: removed`]
    if (!(name in before)) return [`${at}: added`]
    return differences(before[name], after[name], { path: at, prose })
  })
}

function ofSets(before: unknown[], after: unknown[], path: string): string[] {
  const [old, current] = [before, after].map((list) => new Set(list.map((one) => JSON.stringify(one))))
  const added = [...(current ?? [])].filter((one) => !old?.has(one)).map((one) => `${path}: added ${one}`)
  return [...added, ...[...(old ?? [])].filter((one) => !current?.has(one)).map((one) => `${path}: removed ${one}`)]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const LONGEST = 80
const shortened = (text = 'nothing') => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

if (import.meta.main) {
  const [before, after] = process.argv.slice(2)
  if (before === undefined || after === undefined) {
    console.error('Name two folders: npm run compare-protocol -- OLD NEW')
    process.exit(2)
  }
  try {
    const lines = compareFolders(before, after)
    for (const line of lines) console.log(line)
    console.log(`${lines.length} differences`)
    process.exitCode = lines.length > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof UnknownFolderError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

/**
 * `npm run compare-protocol -- OLD NEW` compares two copies of the published protocol: schemas, OpenAPI, OpenRPC and
 * test vectors. It lists the changes, but ignores titles, descriptions and examples. The exit code is 1 if anything
 * changed.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROSE = new Set(['title', 'description', 'summary', 'examples', 'example', '$comment'])
/** Lists in which the order of the items has no meaning. */
const SETS = new Set(['required', 'enum', 'type', 'tags'])

/** Returns one line for each difference, such as `schemas/catalog.json /$defs/Service/required: added "id"`. */
export function compareFolders(before: string, after: string): string[] {
  const [old, current] = [filesIn(before), filesIn(after)]
  return [...new Set([...old, ...current])].toSorted().flatMap((name) => {
    if (!current.includes(name)) return [`${name}: removed`]
    if (!old.includes(name)) return [`${name}: added`]
    return differences(read(before, name), read(after, name), '').map((line) => `${name} ${line}`)
  })
}

const filesIn = (folder: string) => globSync('**/*.json', { cwd: folder })
const read = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

function differences(before: unknown, after: unknown, path: string): string[] {
  const key = path.slice(path.lastIndexOf('/') + 1)
  if (Array.isArray(before) && Array.isArray(after) && SETS.has(key)) return ofSets(before, after, path)
  if (isObject(before) && isObject(after)) return ofMembers(before, after, path)
  const [old, current] = [JSON.stringify(before), JSON.stringify(after)]
  return old === current ? [] : [`${path}: was ${shortened(old)}, is ${shortened(current)}`]
}

function ofMembers(before: Record<string, unknown>, after: Record<string, unknown>, path: string): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const at = `${path}/${name}`
    const value = after[name] ?? before[name]
    // A property of a schema can have a name like `title`. Then its value is an object, and the comparison must not
    // ignore it.
    if (PROSE.has(name) && (typeof value === 'string' || Array.isArray(value))) return []
    if (!(name in after)) return [`${at}: removed`]
    if (!(name in before)) return [`${at}: added`]
    return differences(before[name], after[name], at)
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
  if (before === undefined || after === undefined)
    throw new Error('Name two folders: the older copy and the newer copy.')
  const lines = compareFolders(before, after)
  for (const line of lines) console.log(line)
  console.log(`${lines.length} differences`)
  process.exitCode = lines.length > 0 ? 1 : 0
}

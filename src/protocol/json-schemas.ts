import { readdirSync, readFileSync } from 'node:fs'
import { asRecord } from '../infra/util/object-members.ts'

export type Schema = { readonly [keyword: string]: unknown }
export interface SchemaDocument extends Schema {
  $id: string
  $defs: Record<string, Schema>
}

export const ORIGIN = 'https://usp-protocol.dev/schemas/'
const folder = new URL('../../schemas/', import.meta.url)

export const documents: ReadonlyMap<string, SchemaDocument> = new Map(
  readdirSync(folder)
    .sort()
    .map((name): SchemaDocument => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
    .map((document) => [document.$id, document]),
)

/**
 * Maps the full reference of each named schema to a unique name. If several documents define the same name, the name of
 * the document becomes a prefix.
 */
const names = new Map<string, string>()
const references = new Map<string, string>()
const homes = Map.groupBy(
  [...documents.values()].flatMap(({ $id, $defs }) => Object.keys($defs).map((name) => ({ $id, name }))),
  ({ name }) => name,
)
for (const [name, places] of homes)
  for (const { $id } of places) {
    const prefix = places.length > 1 ? pascal($id.replace(/^.*[/:]|\.json$/g, '')) : ''
    names.set(`${$id}#/$defs/${name}`, prefix + name)
    references.set(prefix + name, `${$id}#/$defs/${name}`)
  }

/** Returns a reference to a schema that the protocol documents name, such as `shape('Service')`. */
export function shape(name: string): { $ref: string } {
  const $ref = references.get(name)
  if (!$ref) throw new Error(`No schema document defines ${name}`)
  return { $ref }
}

/**
 * Copies a schema so that the copy needs no other document. Adds all referenced schemas to `definitions`. Each
 * reference in the copy consists of `prefix` and the name of the schema.
 */
export function bundle<T>(value: T, base: string, prefix: string, definitions: Record<string, unknown>): T
export function bundle(value: unknown, base: string, prefix: string, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => bundle(item, base, prefix, definitions))
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [keyword, child] of Object.entries(value)) copy[keyword] = bundle(child, base, prefix, definitions)
  if (typeof copy.$ref !== 'string' || copy.$ref.startsWith('#/components/')) return copy
  const absolute = new URL(copy.$ref, base).href
  const name = names.get(absolute)
  if (!name) throw new Error(`There is no schema at ${absolute}`)
  copy.$ref = prefix + name
  if (!(name in definitions)) {
    definitions[name] = true // Ends the recursion if a schema refers to itself.
    const home = absolute.replace(/#.*/, '')
    const shape = documents.get(home)?.$defs[absolute.replace(/^.*\//, '')]
    definitions[name] = bundle(shape, home, prefix, definitions)
  }
  return copy
}

/** Returns a copy of the schema with all referenced schemas in its `$defs`. */
export function selfContained(schema: Schema): Schema {
  const $defs: Record<string, unknown> = {}
  const bundled = bundle(schema, typeof schema.$id === 'string' ? schema.$id : ORIGIN, '#/$defs/', $defs)
  return Object.keys($defs).length > 0 ? { ...bundled, $defs: { ...asRecord(bundled.$defs), ...$defs } } : bundled
}

function pascal(name: string) {
  return name.replace(/(^|[-_])(\w)/g, (_, __, letter: string) => letter.toUpperCase())
}

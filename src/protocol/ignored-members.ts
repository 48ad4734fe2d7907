import type { Operation } from './operation.ts'
import { type Schema, selfContained } from './schemas.ts'
import type { Message } from './types.generated.ts'

/** So many are told of one call; who sends more reads the description first. */
const MOST = 10
const LONGEST_PATH = 200

/**
 * What came along and changes nothing, so that nobody takes an answer for more than it is: members that no schema names,
 * such as a wish that this server cannot fulfil, and those that the operation says it takes no notice of.
 */
export function ignoredMembers(operation: Operation, input: unknown): Message[] {
  const found: Message[] = []
  for (const path of ignoredIn(input, [schemaOf(operation)], schemaOf(operation), operation.ignores ?? [])) {
    if (found.push(ignored(path.slice(0, LONGEST_PATH).toWellFormed())) === MOST) break
  }
  return found
}

const ignored = (path: string): Message => ({
  type: 'info',
  code: 'field_ignored',
  content: `${path.slice('$.'.length)} changes nothing here.`,
  path,
})

const schemas = new WeakMap<Operation, Schema>()

function schemaOf(operation: Operation): Schema {
  const schema = schemas.get(operation) ?? selfContained(operation.input)
  schemas.set(operation, schema)
  return schema
}

function* ignoredIn(
  value: unknown,
  given: Schema[],
  root: Schema,
  ignores: readonly string[],
  path = '$',
): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const schemas = given.flatMap((schema) => branches(schema, root))
  if (Array.isArray(value)) {
    const items = schemas.flatMap(({ items: schema }) => asSchemas(schema))
    if (items.length > 0)
      for (const [index, item] of value.entries()) yield* ignoredIn(item, items, root, ignores, `${path}[${index}]`)
    return
  }
  const named = schemas.filter(({ properties }) => properties !== undefined)
  // Whoever may name members as they like names none in vain.
  if (named.length === 0 || schemas.some(({ additionalProperties }) => additionalProperties)) return
  for (const [name, child] of Object.entries(value)) {
    const below = `${path}.${name}`
    const declared = named.flatMap(({ properties }) => asSchemas(own(properties, name)))
    if (declared.length === 0 || ignores.includes(below)) yield below
    else yield* ignoredIn(child, declared, root, ignores, below)
  }
}

/** The schema that a reference leads to, and each that it is made of. */
function branches(schema: Schema, root: Schema): Schema[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema
  const named = typeof $ref === 'string' ? asSchemas(own(root.$defs, $ref.replace('#/$defs/', ''))) : []
  const parts = [...named, ...[allOf, anyOf, oneOf].flat().flatMap(asSchemas)]
  return [schema, ...parts.flatMap((part) => branches(part, root))]
}

const own = (of: unknown, name: string): unknown => (Object.hasOwn(Object(of), name) ? Object(of)[name] : undefined)

const asSchemas = (value: unknown): Schema[] => (typeof value === 'object' && value !== null ? [{ ...value }] : [])

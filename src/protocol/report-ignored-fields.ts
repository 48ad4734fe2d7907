import { asRecord } from '../infra/util/object-members.ts'
import type { Operation } from './define-operation.ts'
import { type Schema, selfContained } from './json-schemas.ts'
import type { Message } from './types.generated.ts'

const MOST_REPORTED = 10
const LONGEST_PATH = 200

/**
 * Lists the input properties that have no effect, so that the caller does not rely on them. A property has no effect if
 * the input schema does not name it, or if the operation declares it as ignored.
 */
export function ignoredMembers(operation: Operation, input: unknown): Message[] {
  const found: Message[] = []
  for (const path of ignoredIn(input, inputOf(operation), operation.ignores?.(asRecord(input)) ?? [])) {
    if (found.push(ignored(path.slice(0, LONGEST_PATH).toWellFormed())) === MOST_REPORTED) break
  }
  return found
}

const ignored = (path: string): Message => ({
  type: 'info',
  code: 'field_ignored',
  content: `${path.slice('$.'.length)} has no effect here.`,
  path,
})

/**
 * Describes which properties of a value the input schema names. The server creates this description when it first needs
 * it.
 */
interface Known {
  /**
   * Looks up a property of an object by its name. Absent if the schema allows any property name. The server then
   * reports no property as ignored.
   */
  member?: (name: string) => Known | undefined
  items?: () => Known
}

const inputs = new WeakMap<Operation, Known>()

function inputOf(operation: Operation): Known {
  const before = inputs.get(operation)
  if (before) return before
  const schema = selfContained(operation.input)
  const known = knownBy([schema], schema)
  inputs.set(operation, known)
  return known
}

function* ignoredIn(value: unknown, known: Known, ignores: readonly string[], path = '$'): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const items = known.items?.()
    if (items) for (const [index, item] of value.entries()) yield* ignoredIn(item, items, ignores, `${path}[${index}]`)
  } else if (known.member)
    for (const [name, child] of Object.entries(value)) {
      const below = `${path}.${name}`
      const declared = known.member(name)
      if (!declared || ignores.includes(below)) yield below
      else yield* ignoredIn(child, declared, ignores, below)
    }
}

function knownBy(parts: Schema[], root: Schema): Known {
  const schemas = parts.flatMap((schema) => branches(schema, root))
  const items = schemas.flatMap(({ items: schema }) => asSchemas(schema))
  const withProperties = schemas.filter(({ properties }) => properties !== undefined)
  const isOpen = withProperties.length === 0 || schemas.some(({ additionalProperties }) => additionalProperties)
  const members = new Map<string, Known>()
  const member = (name: string) => {
    const before = members.get(name)
    if (before) return before
    const declared = withProperties.flatMap(({ properties }) => asSchemas(ownMember(properties, name)))
    if (declared.length === 0) return undefined
    const known = knownBy(declared, root)
    members.set(name, known)
    return known
  }
  let ofItems: Known | undefined
  return {
    ...(!isOpen && { member }),
    ...(items.length > 0 && {
      items() {
        ofItems ??= knownBy(items, root)
        return ofItems
      },
    }),
  }
}

/**
 * Returns the schema itself, the schema that its `$ref` names, and all branches of its `allOf`, `anyOf` and `oneOf`.
 */
function branches(schema: Schema, root: Schema): Schema[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema
  const referenced = typeof $ref === 'string' ? asSchemas(ownMember(root.$defs, $ref.replace('#/$defs/', ''))) : []
  const parts = [...referenced, ...[allOf, anyOf, oneOf].flat().flatMap(asSchemas)]
  return [schema, ...parts.flatMap((part) => branches(part, root))]
}

const ownMember = (value: unknown, name: string): unknown =>
  Object.hasOwn(asRecord(value), name) ? asRecord(value)[name] : undefined

const asSchemas = (value: unknown): Schema[] => (typeof value === 'object' && value !== null ? [{ ...value }] : [])

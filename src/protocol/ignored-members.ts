import { recordOf } from '../infra/util/record-of.ts'
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
  for (const path of ignoredIn(input, inputOf(operation), operation.ignores?.(recordOf(input)) ?? [])) {
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

/** What the schemas say of a value, reckoned when it is asked for first. */
interface Known {
  /** Absent where members may be named as one likes: then none is named in vain. */
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

function knownBy(given: Schema[], root: Schema): Known {
  const schemas = given.flatMap((schema) => branches(schema, root))
  const items = schemas.flatMap(({ items: schema }) => asSchemas(schema))
  const named = schemas.filter(({ properties }) => properties !== undefined)
  const isOpen = named.length === 0 || schemas.some(({ additionalProperties }) => additionalProperties)
  const members = new Map<string, Known>()
  const member = (name: string) => {
    const before = members.get(name)
    if (before) return before
    const declared = named.flatMap(({ properties }) => asSchemas(own(properties, name)))
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

/** The schema that a reference leads to, and each that it is made of. */
function branches(schema: Schema, root: Schema): Schema[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema
  const named = typeof $ref === 'string' ? asSchemas(own(root.$defs, $ref.replace('#/$defs/', ''))) : []
  const parts = [...named, ...[allOf, anyOf, oneOf].flat().flatMap(asSchemas)]
  return [schema, ...parts.flatMap((part) => branches(part, root))]
}

const own = (of: unknown, name: string): unknown => (Object.hasOwn(recordOf(of), name) ? recordOf(of)[name] : undefined)

const asSchemas = (value: unknown): Schema[] => (typeof value === 'object' && value !== null ? [{ ...value }] : [])

/**
 * A document whose schemas generators of clients can take. Beside a type they read a condition as another kind of value
 * and drop the data; they know one type a value, and want it said. What is left out here is for our own validation,
 * which holds every call and every answer to the whole.
 */
export function plain<T>(document: T): T
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([keyword, child]) => !isForbidden(child) && !isCondition(value, keyword, child),
  )
  const copy = Object.fromEntries(
    kept.map(([keyword, child]) => [keyword, keyword === 'example' ? child : plain(child)]),
  )
  return { ...copy, ...typed(copy) }
}

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Of a member that must not be there. */
const isForbidden = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema.not) && Object.keys(schema.not).length === 0

const CONDITIONS = ['if', 'then', 'else', 'dependentRequired', 'propertyNames']
const COMBINATIONS = ['allOf', 'anyOf', 'oneOf']

function isCondition(schema: Schema, keyword: string, child: unknown): boolean {
  if (!('type' in schema)) return false
  // One of them compares it with the word.
  if (keyword === 'const') return schema.type === 'boolean'
  return (
    CONDITIONS.includes(keyword) || (COMBINATIONS.includes(keyword) && !(Array.isArray(child) && child.every(isShape)))
  )
}

/** What says by itself what a value is, and not only what else must hold of it. */
const isShape = (branch: unknown): boolean => isObject(branch) && ('$ref' in branch || 'type' in branch)

function typed({ type, enum: values = [], const: constant, ...schema }: Schema): Schema {
  if (type === undefined)
    return [values, constant].flat().some((one) => typeof one === 'string') ? { type: 'string' } : {}
  if (Array.isArray(type) && type.includes('number')) return { type: one(type.filter((kind) => kind !== 'integer')) }
  const isOpen = type === 'object' && !['properties', 'required', 'additionalProperties'].some((one) => one in schema)
  return isOpen ? { additionalProperties: true } : {}
}

const one = (types: unknown[]) => (types.length === 1 ? types[0] : types)

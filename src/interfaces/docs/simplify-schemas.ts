import { isMoney, withPlainAmounts } from '../../protocol/convert-money-strings.ts'

/**
 * Simplifies schemas for programs that generate client code. These programs need exactly one type for each value, so an
 * amount is a number here. They mistake a condition next to a type for another type, so the conditions are removed. The
 * server still validates calls and answers with the full schemas.
 */
export function simplifySchemas<T>(document: T): T
export function simplifySchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifySchemas)
  if (!isObject(value)) return value
  if (isMoney(value)) return withPlainAmounts(value)
  const members = Object.entries(value).filter(
    ([keyword, child]) => !isForbidden(child) && !isCondition(value, keyword, child),
  )
  const copy = Object.fromEntries(
    members.map(([keyword, child]) => [keyword, keyword === 'example' ? child : simplifySchemas(child)]),
  )
  return { ...copy, ...typed(copy) }
}

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Whether the schema is `{ not: {} }`, which forbids every value. */
const isForbidden = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema.not) && Object.keys(schema.not).length === 0

const CONDITIONS = ['if', 'then', 'else', 'dependentRequired', 'propertyNames']
const COMBINATIONS = ['allOf', 'anyOf', 'oneOf']

function isCondition(schema: Schema, keyword: string, child: unknown): boolean {
  if (!('type' in schema)) return false
  // One client generator compares a boolean constant with a string, so the document leaves the constant out.
  if (keyword === 'const') return schema.type === 'boolean'
  return (
    CONDITIONS.includes(keyword) || (COMBINATIONS.includes(keyword) && !(Array.isArray(child) && child.every(isShape)))
  )
}

/** Whether a branch of `anyOf`, `oneOf` or `allOf` defines a type. A branch without a type only adds a condition. */
const isShape = (branch: unknown): boolean => isObject(branch) && ('$ref' in branch || 'type' in branch)

function typed({ type, enum: values = [], const: constant, ...schema }: Schema): Schema {
  if (type === undefined)
    return [values, constant].flat().some((one) => typeof one === 'string') ? { type: 'string' } : {}
  if (Array.isArray(type) && type.includes('number')) return { type: one(type.filter((kind) => kind !== 'integer')) }
  const isOpen = type === 'object' && !['properties', 'required', 'additionalProperties'].some((one) => one in schema)
  return isOpen ? { additionalProperties: true } : {}
}

const one = (types: unknown[]) => (types.length === 1 ? types[0] : types)

import { asRecord } from '../infra/util/object-members.ts'
import type { Fault } from './errors.ts'
import { type Schema, selfContained } from './json-schemas.ts'

/**
 * Returns the JSON Schema for an amount of money in minor units, such as cents. Callers may send a number or a string
 * of digits. This server always sends numbers.
 */
export const moneyAsSent = <Bounds extends { minimum?: number; maximum?: number }>(
  description: string,
  bounds?: Bounds,
) => ({ type: ['integer', 'string'], pattern: '^-?[0-9]+$', ...bounds, description })

/**
 * Converts the amounts of money in a value from strings to numbers. `fault` names the first string whose number is too
 * large or too small, because a validator of JSON Schema compares only numbers with bounds.
 */
export type ReadMoney = (value: unknown) => { value: unknown; fault?: Fault }

/**
 * Returns a function that converts the amounts of money in a value of this schema to numbers. Returns undefined if the
 * schema contains no amounts.
 */
export function moneyReader(schema: Schema): ReadMoney | undefined {
  const whole = selfContained(schema)
  const shapes = asRecord(whole.$defs)
  if (!hasMoney(whole)) return undefined
  return (value) => {
    let fault: Fault | undefined
    const read = (part: Schema, one: unknown, path: string): unknown => {
      const { $ref, allOf, items, properties } = part
      if (typeof $ref === 'string') return read(asRecord(shapes[$ref.replace(/^.*\//, '')]), one, path)
      if (typeof one === 'string' && isMoney(part)) {
        const message = boundsFault(Number(one), part)
        if (message) fault ??= { field: path.slice(1), message }
        return Number(one)
      }
      const own = Array.isArray(allOf) ? allOf.reduce<unknown>((so, rule) => read(asRecord(rule), so, path), one) : one
      if (Array.isArray(own)) return items ? own.map((item, nth) => read(asRecord(items), item, `${path}.${nth}`)) : own
      if (typeof own !== 'object' || own === null || !properties) return own
      const known = asRecord(properties)
      return Object.fromEntries(
        Object.entries(own).map(([name, member]) => [
          name,
          Object.hasOwn(known, name) ? read(asRecord(known[name]), member, `${path}.${name}`) : member,
        ]),
      )
    }
    const numbers = read(whole, value, '')
    return { value: numbers, ...(fault && { fault }) }
  }
}

function boundsFault(amount: number, { minimum, maximum }: Schema): string | undefined {
  if (!Number.isFinite(amount) || (typeof maximum === 'number' && amount > maximum)) return 'is too large'
  return typeof minimum === 'number' && amount < minimum ? 'is too small' : undefined
}

/** Whether the schema describes an amount of money: a number or a string of digits. */
export function isMoney({ type, pattern }: Schema): boolean {
  return Array.isArray(type) && type.includes('string') && type.some(isNumeric) && typeof pattern === 'string'
}

const isNumeric = (type: unknown) => type === 'integer' || type === 'number'

const hasMoney = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (isMoney(asRecord(value)) || Object.values(value).some(hasMoney))

/**
 * Replaces the schema of each amount of money by a plain number. Code generators and AI models need one type per value,
 * not a choice of number or string.
 */
export function withPlainAmounts<T>(schema: T): T
export function withPlainAmounts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainAmounts)
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, pattern: _, ...others } = asRecord(schema)
  if (isMoney(asRecord(schema)))
    return { type: Array.isArray(type) && type.includes('number') ? 'number' : 'integer', ...others }
  return Object.fromEntries(Object.entries(schema).map(([keyword, child]) => [keyword, withPlainAmounts(child)]))
}

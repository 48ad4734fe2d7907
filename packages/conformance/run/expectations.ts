import { isDeepStrictEqual } from 'node:util'
import type { Answer, Members } from '../caller/answer.ts'
import { asMembers } from '../caller/answer.ts'
import { Mismatch } from './mismatch.ts'

const LONGEST = 300

/** Returns a value as the text that a report shows. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

export function expectTrue(condition: boolean, expected: string, found: unknown): asserts condition {
  if (!condition) throw new Mismatch(expected, typeof found === 'string' ? found : show(found))
}

export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected)) throw new Mismatch(`${what} to be ${show(expected)}`, show(found))
}

export function expectStatus(answer: Answer, ...statuses: number[]): void {
  if (!statuses.includes(answer.status)) throw new Mismatch(`HTTP ${statuses.join(' or ')}`, `HTTP ${answer.status}`)
}

export function expectText(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new Mismatch(`${what} to be a text`, show(value))
  return value
}

export function expectList(value: unknown, what: string): Members[] {
  if (!Array.isArray(value)) throw new Mismatch(`${what} to be a list`, show(value))
  return value.map((item) => expectMembers(item, `each item of ${what}`))
}

export function expectMembers(value: unknown, what: string): Members {
  const members = asMembers(value)
  if (!members) throw new Mismatch(`${what} to be an object`, show(value))
  return members
}

export function expectInstant(value: unknown, what: string): number {
  const text = expectText(value, what)
  const isInstant = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text)
  if (!isInstant) throw new Mismatch(`${what} to be an RFC 3339 date-time with an offset`, show(text))
  return Date.parse(text)
}

/** Runs expectations about one of several cases. If one fails, its message names the case. */
export function inCase<T>(name: string, expectations: () => T): T {
  try {
    return expectations()
  } catch (error) {
    if (error instanceof Mismatch) error.message = `in the case of ${name}: ${error.message}`
    throw error
  }
}

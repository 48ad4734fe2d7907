import { hash } from 'node:crypto'

/**
 * An order that depends only on the seed and each value's name. Adding or removing values keeps the order of the others, so
 * a sample changes little when the sources change.
 */
export const shuffled = <T>(values: readonly T[], seed: number, nameOf: (value: T) => string): T[] =>
  values
    .map((value) => ({ value, by: hash('sha256', `${seed} ${nameOf(value)}`) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ value }) => value)

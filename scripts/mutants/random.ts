import { hash } from 'node:crypto'

/**
 * Sorts values in a random order that depends only on the seed and the name of each value. New or removed values do not
 * change the order of the others. Therefore a sample changes little if the sources change.
 */
export const shuffled = <T>(values: readonly T[], seed: number, nameOf: (value: T) => string): T[] =>
  values
    .map((value) => ({ value, by: hash('sha256', `${seed} ${nameOf(value)}`) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ value }) => value)

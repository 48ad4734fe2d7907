import { hash } from 'node:crypto'

/**
 * An order that follows from the seed and each value's own name: whatever is added, moved or taken away, the others keep
 * theirs, so that a sample stays the same one as the sources change around it.
 */
export const shuffled = <T>(values: readonly T[], seed: number, nameOf: (value: T) => string): T[] =>
  values
    .map((value) => ({ value, by: hash('sha256', `${seed} ${nameOf(value)}`) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ value }) => value)

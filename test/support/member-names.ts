/** The names of all members at any depth, with repetitions. */
export function* memberNames(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name
    yield* memberNames(child)
  }
}

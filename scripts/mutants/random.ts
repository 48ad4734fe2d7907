/** The same order for the same seed (mulberry32). */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return values
    .map((value) => ({ value, by: random() }))
    .sort((one, other) => one.by - other.by)
    .map(({ value }) => value)
}

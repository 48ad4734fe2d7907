/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  pick<T>(list: readonly T[]): T | undefined
  /** Whether something happens that does so many times out of a hundred. */
  percent(share: number): boolean
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    pick: (list) => list[Math.floor(next() * list.length)],
    percent: (share) => next() * 100 < share,
  }
}

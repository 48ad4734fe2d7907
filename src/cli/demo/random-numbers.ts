import { hash } from 'node:crypto'

/** A source of random numbers. The same seed always gives the same numbers. */
export interface Random {
  /** Returns a number from `least` up to, but not including, `most`. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  /** Returns one of the items. An item with twice the weight is chosen twice as often. */
  pick<T>(items: readonly T[], weightOf?: (item: T) => number): T
}

/** The random number generator mulberry32. Its code is short, and its numbers are random enough for invented data. */
export function randomFrom(seed: string): Random {
  let state = hash('sha256', seed, 'buffer').readUInt32LE()
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (least, most) => least + next() * (most - least),
    chance: (probability) => next() < probability,
    pick(items, weightOf = () => 1) {
      let left = next() * items.reduce((sum, item) => sum + weightOf(item), 0)
      const found = items.find((item) => {
        left -= weightOf(item)
        return left < 0
      })
      const chosen = found ?? items.at(-1)
      if (chosen === undefined) throw new Error('There is nothing to pick from.')
      return chosen
    },
  }
}

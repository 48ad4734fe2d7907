import type { TakenTime } from '../ledger/claims.ts'
import type { Span } from './spans.ts'

/** Sorted by time; spans of holds are listed again, for counting. */
export interface Occupied {
  taken: readonly Span[]
  held: readonly Span[]
}

/** What is taken of each resource; nothing of who is never taken. */
export interface Busy {
  get(id: string): Occupied | undefined
}

/** What is taken of each is made out when it is asked for: of hundreds of rooms mostly the first few are looked at. */
export function busyOf(find: (id: string) => Occupied | undefined): Busy {
  const known = new Map<string, Occupied>()
  return {
    get(id) {
      const before = known.get(id)
      if (before) return before
      const found = find(id)
      if (found) known.set(id, found)
      return found
    },
  }
}

/** What is for those who wait may be taken in part. */
export function occupied(times: readonly TakenTime[]): Occupied {
  const taken: Span[] = []
  const held: Span[] = []
  for (const one of times) {
    const span: Span = [one.from, one.to]
    const last = taken.at(-1)
    if (last && one.from < last[1]) taken[taken.length - 1] = [last[0], Math.max(last[1], one.to)]
    else taken.push(span)
    if (one.held) held.push(span)
  }
  return { taken, held }
}

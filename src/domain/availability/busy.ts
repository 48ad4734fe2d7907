import { isTakenIn, type TakenTime, takenIn } from '../../core/ledger/claims.ts'
import { overlapsAny, type Span } from './spans.ts'

export interface Occupied {
  /** Sorted by time. */
  readonly taken: readonly Span[]
  /** Those of holds again, for counting. */
  readonly held: readonly Span[]
  /** Whether any of this time is taken. */
  isTaken(from: number, to: number): boolean
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

export const occupiedBy = (taken: readonly Span[], held: readonly Span[] = []): Occupied => ({
  ...{ taken, held },
  isTaken: (from, to) => overlapsAny(taken, from, to),
})

/** By times in their order. */
export function occupied(times: readonly TakenTime[]): Occupied {
  const { taken, held } = spansOf(times)
  return occupiedBy(taken, held)
}

/** The same as the database wrote it: of hundreds who are looked at it is asked whether they are free, of few when they are not. */
export class OccupiedLines implements Occupied {
  readonly #lines: readonly Buffer[]
  #spans: Pick<Occupied, 'taken' | 'held'> | undefined

  constructor(lines: readonly Buffer[]) {
    this.#lines = lines
  }

  get taken(): readonly Span[] {
    return this.#all.taken
  }

  get held(): readonly Span[] {
    return this.#all.held
  }

  isTaken(from: number, to: number): boolean {
    return this.#lines.some((line) => isTakenIn(line, from, to))
  }

  get #all() {
    this.#spans ??= spansOf(takenIn(this.#lines))
    return this.#spans
  }
}

/** What is for those who wait may be taken in part. */
function spansOf(times: readonly TakenTime[]) {
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

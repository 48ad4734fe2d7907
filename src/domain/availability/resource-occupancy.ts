import { type ClaimedSpan, decodeClaims, isClaimedIn } from '../../core/ledger/resource-claims.ts'
import { overlapsAny, type Span } from './time-spans.ts'

export interface ResourceOccupancy {
  /** The reserved times of the resource, earliest first. */
  readonly taken: readonly Span[]
  /**
   * The reserved times in `taken` that belong to holds (short reservations). Answers state the number of held seats
   * separately.
   */
  readonly held: readonly Span[]
  isTaken(from: number, to: number): boolean
}

/**
 * The reserved times of people, rooms and items. `get` returns undefined if the resource with this id has no reserved
 * time.
 */
export interface Occupancy {
  get(id: string): ResourceOccupancy | undefined
}

/**
 * Computes the reserved times of a resource when a caller first needs them, and caches the result. A search usually
 * needs only the first few of hundreds of resources.
 */
export function memoizedOccupancy(find: (id: string) => ResourceOccupancy | undefined): Occupancy {
  const known = new Map<string, ResourceOccupancy>()
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

export const occupancyFromSpans = (taken: readonly Span[], held: readonly Span[] = []): ResourceOccupancy => ({
  taken,
  held,
  isTaken: (from, to) => overlapsAny(taken, from, to),
})

/**
 * Merges the reservations of one resource, such as a room, into its reserved times. The calling function must sort the
 * reservations by start.
 */
export function occupancyOf(times: readonly ClaimedSpan[]): ResourceOccupancy {
  const { taken, held } = mergedSpans(times)
  return occupancyFromSpans(taken, held)
}

/**
 * Stores the reserved times of one resource in the binary form of the database. One search checks hundreds of
 * resources. To be fast, `isTaken` searches the bytes directly. The server decodes the times only if a caller needs
 * them.
 */
export class EncodedOccupancy implements ResourceOccupancy {
  readonly #lines: readonly Buffer[]
  #spans: Pick<ResourceOccupancy, 'taken' | 'held'> | undefined

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
    return this.#lines.some((line) => isClaimedIn(line, from, to))
  }

  get #all() {
    this.#spans ??= mergedSpans(decodeClaims(this.#lines))
    return this.#spans
  }
}

/**
 * Merges reserved times that overlap. Recently released time also counts as reserved, because the server must first
 * offer it to the waitlist. Such released time may overlap other reserved time.
 */
function mergedSpans(times: readonly ClaimedSpan[]) {
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

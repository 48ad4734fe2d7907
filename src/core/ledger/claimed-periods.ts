import { lowerBound } from '../../infra/util/binary-search.ts'

export interface ClaimedTime {
  from: number
  to: number
  claim: string
}

/**
 * The claimed (occupied) time intervals of one person, room or item, in order and without overlaps. The list consists
 * of chunks, so that an insertion stays fast in a long list.
 */
export class Timeline {
  readonly #pieces: ClaimedTime[][] = [[]]
  readonly #longest: number

  /**
   * `longest` is the maximum number of intervals in one chunk of the list. An insertion moves at most this number of
   * intervals.
   */
  constructor(longest = 512) {
    this.#longest = longest
  }

  /**
   * Inserts a claimed interval if it overlaps no stored interval. Otherwise, inserts nothing and returns the
   * overlapping stored interval.
   */
  insert(span: ClaimedTime): ClaimedTime | undefined {
    const { piece, index, place } = this.#firstEndingAfter(span.from)
    const next = piece[place] ?? this.#pieces[index + 1]?.[0]
    if (next && next.from < span.to) return next
    piece.splice(place, 0, span)
    if (piece.length > this.#longest) this.#pieces.splice(index + 1, 0, piece.splice(piece.length / 2))
    return undefined
  }

  remove(span: ClaimedTime): void {
    const { piece, index, place } = this.#firstEndingAfter(span.from)
    if (piece[place]?.claim !== span.claim) return
    piece.splice(place, 1)
    if (piece.length === 0 && this.#pieces.length > 1) this.#pieces.splice(index, 1)
  }

  /**
   * Finds the first stored interval that ends after the instant. If there is no such interval, returns the position
   * after the last interval.
   */
  #firstEndingAfter(instant: number) {
    const endsBefore = (span: ClaimedTime | undefined) => span === undefined || span.to <= instant
    const index = Math.min(
      lowerBound(this.#pieces.length, (at) => endsBefore(this.#pieces[at]?.at(-1))),
      this.#pieces.length - 1,
    )
    const piece = this.#pieces[index] ?? []
    return { piece, index, place: lowerBound(piece.length, (at) => endsBefore(piece[at])) }
  }
}

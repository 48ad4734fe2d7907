export interface Taken {
  from: number
  to: number
  claim: string
}

/** Time that is taken and does not overlap, in order. Looking something up takes as long as in a phone book. */
export class Timeline {
  readonly #taken: Taken[] = []

  /** Enters a span, or returns the one that is in its way. */
  add(span: Taken): Taken | undefined {
    const place = this.#firstEndingAfter(span.from)
    const next = this.#taken[place]
    if (next && next.from < span.to) return next
    this.#taken.splice(place, 0, span)
    return undefined
  }

  remove(span: Taken): void {
    const place = this.#firstEndingAfter(span.from)
    if (this.#taken[place]?.claim === span.claim) this.#taken.splice(place, 1)
  }

  #firstEndingAfter(instant: number): number {
    let low = 0
    let high = this.#taken.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#taken[middle]?.to ?? 0) <= instant) low = middle + 1
      else high = middle
    }
    return low
  }
}

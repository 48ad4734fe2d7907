/** Counts of names, in the order of their first appearance. */
export class NameCounts {
  readonly #counts = new Map<string, number>()

  add(what: string) {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  get isEmpty() {
    return this.#counts.size === 0
  }

  /** `LOCATION (3), URL (1)`. Limits the number of names, because a file can contain any number. */
  toString() {
    const all = [...this.#counts]
    const named = all.slice(0, MOST_NAMED).map(([what, count]) => `${what.slice(0, 60)} (${count})`)
    return [...named, ...(all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} others`] : [])].join(', ')
  }
}

const MOST_NAMED = 50

/** So many have their turn at the same time; the others wait in the order in which they came. */
export class Turns {
  readonly #most: number
  readonly #waiting = new Set<() => void>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Whether nobody has one. */
  get isIdle(): boolean {
    return this.#count === 0
  }

  /** How many wait for one. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether a turn came within so many milliseconds, if there is a limit. */
  async take(patience?: number): Promise<boolean> {
    if (this.#count < this.#most) {
      this.#count++
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const begin = () => resolve(true)
    this.#waiting.add(begin)
    if (patience === undefined) return promise
    const timer = setTimeout(() => {
      this.#waiting.delete(begin)
      resolve(false)
    }, patience)
    return promise.finally(() => clearTimeout(timer))
  }

  end(): void {
    const [next] = this.#waiting
    if (!next) this.#count--
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}

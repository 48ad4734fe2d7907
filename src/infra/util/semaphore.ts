/** A semaphore with `most` slots. Callers get a free slot in the order of their requests. */
export class Semaphore {
  readonly #most: number
  readonly #waiting = new Set<() => void>()
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get isIdle(): boolean {
    return this.#count === 0
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Waits for a free slot of the semaphore. Returns false if no slot is free within `patience` milliseconds. Without
   * `patience`, the wait has no limit.
   */
  async acquire(patience?: number): Promise<boolean> {
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

  release(): void {
    const [next] = this.#waiting
    if (!next) this.#count--
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}

export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const turns = new Semaphore(most)
  return async (work) => {
    await turns.acquire()
    try {
      return await work()
    } finally {
      turns.release()
    }
  }
}

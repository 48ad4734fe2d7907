import { Semaphore } from '../util/semaphore.ts'
import { ConcurrencyTimeoutError } from './database-failures.ts'

/**
 * The largest share of all database connections that units of work (transactions) may use: `all` for all units of work,
 * and `ofOneThing` for those that compete for one lock, such as the lock of a waitlist.
 */
const SHARE = { all: 3 / 4, ofOneThing: 1 / 5 }

/**
 * Limits the number of units of work (transactions) that run at the same time, so that some connections stay free for
 * reads. A unit of work that waits for a lock keeps its connection for seconds. If possible, units of work that compete
 * for one lock wait without a connection.
 */
export class TransactionSlots {
  readonly #all: Semaphore
  readonly #mostOfOneThing: number
  readonly #things = new Map<string, Semaphore>()

  constructor(connections: number) {
    this.#all = new Semaphore(Math.max(1, Math.floor(connections * SHARE.all)))
    this.#mostOfOneThing = Math.max(1, Math.floor(connections * SHARE.ofOneThing))
  }

  get waiting(): number {
    return [this.#all, ...this.#things.values()].reduce((sum, turns) => sum + turns.waiting, 0)
  }

  /**
   * Waits until one more unit of work (transaction) may run. The unit of work must call the returned function at its
   * end, so that the next unit of work can start.
   */
  acquire(patience: number): Promise<() => void> {
    return acquired(this.#all, patience)
  }

  async acquireFor(thing: string, patience: number): Promise<() => void> {
    const turns = this.#things.get(thing) ?? new Semaphore(this.#mostOfOneThing)
    this.#things.set(thing, turns)
    const end = await acquired(turns, patience)
    return () => {
      end()
      if (turns.isIdle) this.#things.delete(thing)
    }
  }
}

async function acquired(turns: Semaphore, patience: number): Promise<() => void> {
  if (!(await turns.acquire(patience))) throw new ConcurrencyTimeoutError('No transaction slot was free in time.')
  return () => turns.release()
}

import { Turns } from '../util/turns.ts'
import { NoTurn } from './failures.ts'

/** The share of the connections for all units of work, and for those that wait for the same thing. */
const SHARE = { all: 3 / 4, ofOneThing: 1 / 5 }

/**
 * Transaction slots. A unit of work that waits for a lock keeps its connection for seconds, so readers need some free
 * connections. Units of work that compete for the same thing mostly wait without a connection.
 */
export class ChangeTurns {
  readonly #all: Turns
  readonly #mostOfOneThing: number
  readonly #things = new Map<string, Turns>()

  constructor(connections: number) {
    this.#all = new Turns(Math.max(1, Math.floor(connections * SHARE.all)))
    this.#mostOfOneThing = Math.max(1, Math.floor(connections * SHARE.ofOneThing))
  }

  get waiting(): number {
    return [this.#all, ...this.#things.values()].reduce((sum, turns) => sum + turns.waiting, 0)
  }

  /** Returns a function that releases the slot. */
  take(patience: number): Promise<() => void> {
    return taken(this.#all, patience)
  }

  async takeAt(thing: string, patience: number): Promise<() => void> {
    const turns = this.#things.get(thing) ?? new Turns(this.#mostOfOneThing)
    this.#things.set(thing, turns)
    const end = await taken(turns, patience)
    return () => {
      end()
      if (turns.isIdle) this.#things.delete(thing)
    }
  }
}

async function taken(turns: Turns, patience: number): Promise<() => void> {
  if (!(await turns.take(patience))) throw new NoTurn('Others were at work all the time.')
  return () => turns.end()
}

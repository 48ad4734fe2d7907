import { Turns } from '../util/turns.ts'
import { NoTurn } from './failures.ts'

/** Of the connections, those that changes may have, and those of them that changes of the same thing may have. */
const SHARE = { all: 3 / 4, ofOneThing: 1 / 5 }

/**
 * The turns of changes. One that waits for a lock keeps its connection for seconds: some are left to whoever only reads, and
 * of those who come for the same thing, who would but wait for one another, most wait without one.
 */
export class ChangeTurns {
  readonly #all: Turns
  readonly #mostOfOneThing: number
  readonly #things = new Map<string, Turns>()

  constructor(connections: number) {
    this.#all = new Turns(Math.max(1, Math.floor(connections * SHARE.all)))
    this.#mostOfOneThing = Math.max(1, Math.floor(connections * SHARE.ofOneThing))
  }

  /** Who waits, for a turn at all or for one at a thing. */
  get waiting(): number {
    return [this.#all, ...this.#things.values()].reduce((sum, turns) => sum + turns.waiting, 0)
  }

  /** Waits so many milliseconds at most; the answer ends the turn. */
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

import { setTimeout as pass } from 'node:timers/promises'

/** Milliseconds of work before a rest, and of the longest rest. */
const [SHARE, LONGEST] = [10, 100]

/**
 * Throttles background work: it rests for the time that it worked or waited for the database. Use it where no caller
 * waits for the work, and where a rest blocks no other work.
 *
 * Call it as `if (pace.isUsed()) await pace.rest()`, right before the step.
 */
export class Throttle {
  #began = performance.now()

  isUsed(): boolean {
    return this.#worked >= SHARE
  }

  async rest(): Promise<void> {
    await pass(Math.min(this.#worked, LONGEST))
    this.#began = performance.now()
  }

  get #worked(): number {
    return performance.now() - this.#began
  }
}

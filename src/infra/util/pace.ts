import { setTimeout as pass } from 'node:timers/promises'

/** Milliseconds of work, and the longest rest. */
const [SHARE, LONGEST] = [10, 100]

/**
 * For work that nobody waits for, and that keeps nobody waiting while it rests: it does so for as long as it worked, or as the
 * database worked for it. Asked for as `if (pace.isUsed()) await pace.rest()`, right before the step.
 */
export class Pace {
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

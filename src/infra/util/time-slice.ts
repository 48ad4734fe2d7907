import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'

/** Milliseconds of one turn of the event loop that all long work together may use. */
const TIME_SLICE_MS = 10

let began: number | undefined
/** Paused work, first in, first out: no piece of work waits for another one to end. */
const waiting: (() => void)[] = []

/** Whether long work has used its share of this turn. It is cheap enough to call at every step. */
export function isTimeSliceUsed(): boolean {
  if (began === undefined) {
    began = performance.now()
    setImmediate(() => {
      began = undefined
    })
  }
  return performance.now() - began >= TIME_SLICE_MS
}

/**
 * Yields to the event loop. Thirty pieces of long work at once then block the server no longer than one does.
 *
 * Call it as `if (isTimeSliceUsed()) await yieldToEventLoop()`, right before the step. With another `await` in between, thirty
 * callers could pass the check before the first one starts its step.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(resumeNext)
  })

/** Maps all items, and yields to the event loop whenever the share is used. */
export async function mapWithYields<One, Made>(ones: Iterable<One>, make: (one: One) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (const one of ones) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    made.push(make(one))
  }
  return made
}

/** Resumes the first paused work in a turn that has time left. One turn can resume many short steps. */
function resumeNext(): void {
  if (isTimeSliceUsed()) setImmediate(resumeNext)
  else waiting.shift()?.()
}

/**
 * Limits the bytes that all callers together process in one turn of the event loop. Callers above the limit wait for
 * the next turn. One call must not exceed `most`, since it would wait forever.
 */
export function limitBytesPerTurn(most: number): (bytes: number) => Promise<void> {
  let left = most
  let nextTurn: Promise<void> | undefined
  return async (bytes) => {
    while (left < bytes) {
      nextTurn ??= othersTurn().then(() => {
        left = most
        nextTurn = undefined
      })
      await nextTurn
    }
    left -= bytes
  }
}

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

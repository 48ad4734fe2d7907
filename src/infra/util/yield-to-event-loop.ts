import { setImmediate as othersTurn, setTimeout as pass } from 'node:timers/promises'

/** Milliseconds that all long tasks together may run in one turn of the event loop. */
const TIME_SLICE_MS = 10

let began: number | undefined
/** The queue of paused long tasks. The next task can resume before the previous task has ended. */
const waiting: (() => void)[] = []

/**
 * Whether long tasks have used up their time in this turn of the event loop. The check is fast, so a task can make it
 * before each step.
 */
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
 * Yields to the event loop, so that thirty concurrent long tasks block the server no longer than one. Call it as
 * `if (isTimeSliceUsed()) await yieldToEventLoop()`, directly before a step of the task. After another `await` in
 * between, many tasks could begin a step in the same turn.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    setImmediate(resumeNext)
  })

/** Converts all items of a long list. Yields to the event loop each time the allowed time is used up. */
export async function mapWithYields<One, Made>(ones: Iterable<One>, make: (one: One) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (const one of ones) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    made.push(make(one))
  }
  return made
}

/** Resumes the first paused task, when a turn of the event loop has time left. Many short steps can run in one turn. */
function resumeNext(): void {
  if (isTimeSliceUsed()) setImmediate(resumeNext)
  else waiting.shift()?.()
}

/**
 * Limits the bytes that all callers together process in one turn of the event loop. Callers above the limit wait for
 * the next turn. One call must not exceed `most` bytes, because it would wait forever.
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

/** Two durations in milliseconds: how long a background task works before it rests, and how long it rests at most. */
const [SHARE, LONGEST] = [10, 100]

/**
 * Slows down a background task. The task rests as long as it has worked or waited for the database, but at most
 * `LONGEST` milliseconds. Use this class only if no caller waits for the task, and if a rest blocks no other work. Call
 * it as `if (pace.isUsed()) await pace.rest()`, directly before a step of the task.
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

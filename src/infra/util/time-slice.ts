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
 * Call it as `if (isShareUsed()) await letOthers()`, right before the step. With another `await` in between, thirty
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

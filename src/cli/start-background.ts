import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Running } from '../jobs/loop.ts'
import type { Given } from './run-background.ts'

/** Milliseconds after which a thread that ended by a fault is followed by another. */
const PAUSE = 5_000
/** What takes more than this is a fault, and ends the thread instead of the server. */
const MOST_MEGABYTES = 512

/**
 * Does what nobody waits for in a thread of its own, with connections of its own, as another server would: however long the
 * hints of a thousand services take, whoever calls is answered meanwhile.
 */
export function startBackground(
  given: Given,
  log: { error(fault: object, what: string): void },
  pause = PAUSE,
): Running {
  let isClosing = false
  let thread: Worker | undefined
  let isLoaded = false
  let next: NodeJS.Timeout | undefined
  const start = () => {
    const worker = new Worker(new URL('./background-thread.ts', import.meta.url), {
      workerData: given,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    })
    thread = worker
    isLoaded = false
    worker.once('message', () => {
      isLoaded = true
    })
    worker.on('error', (error) => log.error({ err: error }, 'background'))
    worker.once('exit', () => {
      thread = undefined
      if (!isClosing) next = setTimeout(start, pause).unref()
    })
  }
  start()
  return {
    async close() {
      isClosing = true
      clearTimeout(next)
      if (!thread) return
      const ended = once(thread, 'exit')
      // Loading may take a slow machine longer than there is, and nothing is lost with it.
      if (isLoaded) thread.postMessage('close')
      else void thread.terminate()
      await ended
    },
  }
}

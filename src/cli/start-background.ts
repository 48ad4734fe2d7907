import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BackgroundLoop } from '../core/jobs/loop.ts'
import { type PoolUsage, parsePoolUsage } from '../infra/db/pool-usage.ts'
import { HEARTBEAT_MS } from './background-heartbeat.ts'
import type { BackgroundInput } from './run-background.ts'

interface Background extends BackgroundLoop {
  /** Use of its connections, from its last heartbeat. */
  occupancy(): PoolUsage | undefined
}

/** Milliseconds before a new thread replaces one that ended. */
const RESTART_DELAY_MS = 5_000
/** Heap limit. A thread that needs more is faulty: it ends, and the server goes on. */
const MAX_HEAP_MEGABYTES = 512
/** Heap for new objects. A larger one needs fewer collections, but permanently holds several times the memory. */
const YOUNG_HEAP_MEGABYTES = 8
/**
 * Heartbeats missed in a row after which the thread counts as hanging. On the busiest machine it gets CPU time before
 * that.
 */
const MAX_MISSED_HEARTBEATS = 12
const THREAD = new URL('./background-thread.ts', import.meta.url)

/**
 * Runs background work in a separate thread with its own connections, like another server. Callers do not wait for long
 * work, such as the hints of a thousand services.
 */
export function startBackground(
  input: BackgroundInput,
  log: { error(fault: object, message: string): void },
  { pause = RESTART_DELAY_MS, beat = HEARTBEAT_MS, file = THREAD } = {},
): Background {
  let isClosing = false
  let thread: Worker | undefined
  let isLoaded = false
  let missed = 0
  let occupancy: PoolUsage | undefined
  let next: NodeJS.Timeout | undefined
  const start = () => {
    const worker = new Worker(file, {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_HEAP_MEGABYTES },
    })
    thread = worker
    isLoaded = false
    // The first message says that the thread is loaded. Later ones are heartbeats with the use of connections.
    worker.on('message', (message) => {
      occupancy = parsePoolUsage(message)
      isLoaded = true
      missed = 0
    })
    worker.on('error', (error) =>
      log.error({ err: error }, 'The background thread ended with an error; the server starts a new one.'),
    )
    worker.once('exit', () => {
      thread = undefined
      occupancy = undefined
      if (!isClosing) next = setTimeout(start, pause).unref()
    })
  }
  // Counts heartbeats instead of time: after the machine slept, only one is missing.
  const checkHeartbeat = () => {
    if (!thread || !isLoaded || ++missed < MAX_MISSED_HEARTBEATS) return
    missed = 0
    log.error(
      { seconds: (MAX_MISSED_HEARTBEATS * beat) / 1000 },
      'The background thread hangs; the server starts a new one.',
    )
    void thread.terminate()
  }
  const watch = setInterval(checkHeartbeat, beat).unref()
  start()
  return {
    occupancy: () => occupancy,
    async close() {
      isClosing = true
      clearTimeout(next)
      if (!thread) return clearInterval(watch)
      const ended = once(thread, 'exit')
      // On a slow machine, loading may exceed the grace period. A thread that still loads has no work to lose.
      if (isLoaded) thread.postMessage('close')
      else void thread.terminate()
      await ended
      clearInterval(watch)
    },
  }
}

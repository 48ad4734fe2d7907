import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BackgroundLoop } from '../core/jobs/loop.ts'
import { type PoolUsage, parsePoolUsage } from '../infra/db/pool-usage.ts'
import { HEARTBEAT_MS } from './background-heartbeat.ts'
import type { BackgroundInput } from './run-background.ts'

interface Background extends BackgroundLoop {
  /** Use of the database connections of the background thread, as its last heartbeat reported. */
  occupancy(): PoolUsage | undefined
}

/** Milliseconds between the end of a background thread and the start of its replacement. */
const RESTART_DELAY_MS = 5_000
/**
 * Heap limit of the background thread. A thread that needs more memory is faulty: the thread ends, but the server does
 * not.
 */
const MAX_HEAP_MEGABYTES = 512
/**
 * Heap for new objects. A larger heap needs fewer garbage collections, but permanently occupies several times the
 * memory.
 */
const YOUNG_HEAP_MEGABYTES = 8
/**
 * The server replaces a background thread that misses this many heartbeats in a row. Even on a very busy machine, a
 * healthy thread sends a heartbeat in less time.
 */
const MAX_MISSED_HEARTBEATS = 12
const THREAD = new URL('./background-thread.ts', import.meta.url)

/**
 * Runs the background work in a separate thread with its own database connections, as if it were another server.
 * Callers then do not wait for long work, such as the hints of a thousand services.
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
    // The first message of the thread means that its modules are loaded. Each later message is a heartbeat with the use
    // of its connections.
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
  // Counts missed heartbeats and not time: after the machine has slept, only a single heartbeat is missing.
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
      // On a slow machine, loading the modules may take longer than the grace period. A thread that is still loading
      // has no work to lose, so the server terminates it.
      if (isLoaded) thread.postMessage('close')
      else void thread.terminate()
      await ended
      clearInterval(watch)
    },
  }
}

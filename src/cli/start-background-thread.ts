import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BackgroundLoop } from '../core/jobs/background-loop.ts'
import { type PoolUsage, parsePoolUsage } from '../infra/db/connection-pool-usage.ts'
import { HEARTBEAT_MS } from './background-heartbeat.ts'
import type { BackgroundInput } from './run-background-work.ts'

interface Background extends BackgroundLoop {
  /** Returns the number of database connections that the background thread used at its last heartbeat. */
  occupancy(): PoolUsage | undefined
}

/** The pause between the end of one background thread and the start of the next one, in milliseconds. */
const RESTART_DELAY_MS = 5_000
/**
 * The memory limit of the background thread, in megabytes. Only a faulty thread reaches the limit. Such a thread ends,
 * and the server starts a new one.
 */
const MAX_HEAP_MEGABYTES = 512
/**
 * The size of the background thread's heap for new objects, in megabytes. A larger heap would need fewer garbage
 * collections, but permanently several times this memory.
 */
const YOUNG_HEAP_MEGABYTES = 8
/**
 * The server replaces the background thread after this number of missed heartbeats. A healthy thread never misses so
 * many heartbeats, even on a very busy machine.
 */
const MAX_MISSED_HEARTBEATS = 12
const THREAD = new URL('./background-thread.ts', import.meta.url)

/**
 * Runs the background work in a separate thread with its own database connections. Therefore long work does not delay
 * callers, for example the computation of the free times of a thousand services.
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
    // The first message of the background thread means that its modules are loaded. Each later message is a heartbeat
    // with the number of its used connections.
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
  // The server counts missed heartbeats and does not measure time. After the machine has slept, only one heartbeat is
  // missing.
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
      // On a slow machine, the thread may load its modules for longer than the time limit of the shutdown. The server
      // ends a loading thread immediately, because it has no work to lose.
      if (isLoaded) thread.postMessage('close')
      else void thread.terminate()
      await ended
      clearInterval(watch)
    },
  }
}

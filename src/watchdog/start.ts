import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { Watched } from './watch.ts'

/** Milliseconds between two signs of life. */
const PULSE = 250

/**
 * Watches from a thread of its own that the event loop turns, and logs what kept it when it does not: the thread that is
 * stuck could tell nobody. Whoever looks at the process through a debugger makes it wait, and needs no watchdog.
 */
export function startWatchdog(log: Pick<FastifyBaseLogger, 'level' | 'warn'>): () => Promise<unknown> {
  if (debuggerUrl() !== undefined) return async () => {}
  const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const beat = setInterval(() => Atomics.add(pulse, 0, 1), PULSE)
  const watched: Watched = { pulse, logLevel: log.level }
  const worker = new Worker(new URL('./watch.ts', import.meta.url), { workerData: watched })
  // Without it the server goes on as before.
  worker.on('error', (error) => log.warn({ err: error }, 'watchdog'))
  // Neither keeps the process alive.
  beat.unref()
  worker.unref()
  return () => {
    clearInterval(beat)
    return worker.terminate()
  }
}

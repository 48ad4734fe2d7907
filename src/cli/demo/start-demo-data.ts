import { setTimeout as pass } from 'node:timers/promises'
import type { Runtime } from '../../server/build-dependencies.ts'
import { makeDemoData } from './make-demo-data.ts'

/** The demo data start after this delay, so that they do not slow down the first calls, such as the first page. */
const DELAY_MS = 1_000

/**
 * Makes the demo data while the server already answers calls. Returns a function that stops this work after the current
 * step. The next start of the server then makes the rest.
 */
export function startDemoData(runtime: Runtime): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const made = pass(DELAY_MS, undefined, { signal })
    .then(() => makeDemoData(runtime, { shouldStop: () => signal.aborted }))
    .catch((error: unknown) => {
      if (signal.aborted) return
      runtime.log.warn({ err: error }, 'The demo data are incomplete; the next start of the server makes the rest.')
    })
  return async () => {
    stopping.abort()
    await made
  }
}

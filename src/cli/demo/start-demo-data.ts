import { setTimeout as pass } from 'node:timers/promises'
import type { Runtime } from '../../server/build-dependencies.ts'
import { makeDemoData } from './make-demo-data.ts'

/** The first calls of a new server, such as the first page, come before the demo data. */
const DELAY_MS = 1_000

/**
 * Makes the demo data while the server already answers. Returns a function that stops the work after the current step.
 * A later start then makes the rest.
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

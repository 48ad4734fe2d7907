import { setTimeout as pass } from 'node:timers/promises'

/** In milliseconds. A server on a busy machine still starts within this time. */
const TIMEOUT_MS = 90_000
/** In milliseconds. More frequent requests would delay the start. */
const INTERVAL_MS = 50

/** Waits until the server at this address can work. */
export async function waitUntilReady(origin: string): Promise<void> {
  const isReady = () =>
    fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const until = Date.now() + TIMEOUT_MS; !(await isReady()); await pass(INTERVAL_MS))
    if (Date.now() > until) throw new Error(`${origin}/readyz does not answer 200.`)
}

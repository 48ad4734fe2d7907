import { UnreachableError, UspError } from './client-errors.ts'

const TRIES = 4
const FIRST_WAIT_SECONDS = 0.25
/**
 * The maximum number of seconds that the client waits before a retry. If `Retry-After` asks for a longer wait, the
 * caller gets the error.
 */
const MAX_WAIT_SECONDS = 30
/**
 * Error codes after which the client repeats a call: too many calls, or a server that is not available now. Positive
 * codes are HTTP statuses, which can also come from a proxy. Negative codes are JSON-RPC codes.
 */
const TEMPORARY_CODES = new Set([429, 502, 503, 504, -32007, -32009])

/** Repeats a call that failed temporarily. A retry is safe, because each write has an idempotency key. */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await send()
    } catch (error) {
      const wait = tried < TRIES ? waitAfter(error, tried) : undefined
      if (wait === undefined || wait > MAX_WAIT_SECONDS) throw error
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    }
  }
}

function waitAfter(error: unknown, tried: number): number | undefined {
  const usual = FIRST_WAIT_SECONDS * 2 ** (tried - 1) * (0.5 + Math.random())
  if (error instanceof UnreachableError) return usual
  if (error instanceof UspError && TEMPORARY_CODES.has(error.status)) return error.retryAfter ?? usual
}

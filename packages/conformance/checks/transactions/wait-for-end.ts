import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import { expectInstant } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'

const MAX_WAIT_MINUTES = 2
const MINUTE_MS = 60_000
/** In milliseconds. The clock of the server may be a little behind. */
const MARGIN_MS = 1_500

/**
 * Waits until the hold or the checkout has ended by itself. Skips the check if this takes more than two minutes.
 * A negative margin ends the wait earlier.
 */
export async function waitForEnd({ expires_at }: Members, margin = MARGIN_MS): Promise<void> {
  const milliseconds = expectInstant(expires_at, 'expires_at') - Date.now()
  if (milliseconds > MAX_WAIT_MINUTES * MINUTE_MS) {
    const minutes = Math.ceil(milliseconds / MINUTE_MS)
    throw new Skip(`A hold lasts ${minutes} minutes, and the suite waits at most ${MAX_WAIT_MINUTES} minutes.`)
  }
  await sleep(Math.max(0, milliseconds + margin))
}

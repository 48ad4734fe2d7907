import { forgetExpiredTokens } from '../oauth/revoked-tokens.ts'
import { forgetOldState } from '../oauth/state.ts'
import { forgetOldReplies } from '../protocol/idempotency.ts'
import type { Runtime } from '../runtime.ts'
import { forgetOldCounts } from '../trust/rate-limits.ts'
import { forgetOldProofs } from '../trust/replay.ts'

const EVERY = 60_000

/** Sweeps out what has expired. Nothing depends on it: whatever reads these rows looks at their time itself. */
export function keepHouse({ db, clock, log }: Runtime): () => Promise<void> {
  const sweep = async () => {
    const now = clock()
    for (const forget of [forgetOldProofs, forgetOldCounts, forgetOldReplies, forgetOldState, forgetExpiredTokens])
      await forget(db, now).catch((error) => log.warn({ err: error }, 'housekeeping'))
  }
  const timer = setInterval(sweep, EVERY)
  timer.unref()
  return async () => clearInterval(timer)
}

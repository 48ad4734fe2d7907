import { DAY, HOUR } from '../../../infra/time/time-units.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { planOf } from '../service-scheduling-plan.ts'
import { HintRun } from './cached-free-time-counts.ts'
import { isSameHint } from './compare-hints.ts'
import { hintFingerprint, occupancyDigests } from './hint-fingerprint.ts'
import { makeHint } from './make-availability-hint.ts'
import { type HintState, hintStates, hintUpdate, publishedHint } from './queries.ts'

const MAX_AGE_MS = 4 * HOUR
/**
 * If the catalogue feed has not reported a service for this number of milliseconds, the feed reports the service again,
 * even without a change. Platforms then read the new expiry (`valid_until`) of the availability hint before the old
 * hint expires.
 */
const MOVES_AFTER_MS = DAY - MAX_AGE_MS
/**
 * One run of the job takes at most this many milliseconds, because computing availability hints (summaries of free
 * times) slows down API calls. One booking can change the hints of hundreds of services. The next run continues with
 * the oldest hints.
 */
const MAX_RUN_MS = 10_000

export async function refreshHints(
  { db, business }: Dependencies<'db' | 'business'>,
  now: Date,
  isClosing = () => false,
): Promise<void> {
  const definition = await business.get()
  const taken = await occupancyDigests(db, now)
  const go = new HintRun()
  const began = performance.now()
  for (const state of await hintStates(db)) {
    if (isClosing() || performance.now() - began > MAX_RUN_MS) return
    if (go.pace.isUsed()) await go.pace.rest()
    const plan = planOf(definition, state.id)
    if (!plan) continue
    const basis = hintFingerprint(plan, taken, now)
    if (!isDue(state, basis, now)) continue
    const hint = await makeHint(db, plan, now, go)
    const published = await publishedHint(db, state.id)
    const isNew =
      !published?.hint ||
      now.getTime() - published.modified_at.getTime() >= MOVES_AFTER_MS ||
      !isSameHint(published.hint, hint, now.getTime() + plan.minAdvance)
    await db.transaction().execute((tx) => hintUpdate(tx, { id: state.id, basis, hint }, { isNew }, now))
  }
}

const isDue = ({ generated_at, ...state }: HintState, basis: string, now: Date): boolean =>
  generated_at === null || state.basis !== basis || now.getTime() - Date.parse(generated_at) >= MAX_AGE_MS

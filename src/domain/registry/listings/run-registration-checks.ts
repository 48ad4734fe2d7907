import type { BackgroundLoop } from '../../../core/jobs/background-loop.ts'
import { startWorker, type Work, type WriteOutcome, workAll } from '../../../core/jobs/queue-worker.ts'
import { MINUTE } from '../../../infra/time/time-units.ts'
import { hasRegistry } from '../../../protocol/capabilities.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { readBusinessProfile } from '../indexing/read-business-profile.ts'
import {
  checksRenew,
  type DueCheck,
  registrationCheckFailed,
  registrationCheckPassed,
  registrationsLease,
} from './registration-check-queries.ts'
import { afterFailure, isGone } from './registration-queries.ts'

type Needs = Dependencies<'db' | 'config' | 'business' | 'log'>

/**
 * Up to this many profile checks run in parallel, so that a few hosts without an answer do not delay the other checks.
 */
const AT_ONCE = 50
/**
 * The server looks for due profile checks at this interval, in milliseconds. The server must poll, because no event
 * announces a due check.
 */
const POLLED_EVERY_MS = MINUTE / 4

/**
 * Starts a background loop that checks the profiles of registered businesses. If the checks of a business fail for more
 * than a day, searches hide the business until its profile is valid again.
 */
export const startChecks = (dependencies: Needs & Dependencies<'clock' | 'clockFault'>): BackgroundLoop =>
  startWorker(dependencies, checks(dependencies, dependencies), { every: POLLED_EVERY_MS })

export const checkRegistrations = (dependencies: Needs, now: Date): Promise<void> =>
  workAll(dependencies, checks(dependencies, { clock: () => now, clockFault: () => undefined }))

const checks = (dependencies: Needs, { clock, clockFault }: Dependencies<'clock' | 'clockFault'>): Work<DueCheck> => ({
  name: 'checking a profile',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  async take(most) {
    if (clockFault() !== undefined || !hasRegistry(await dependencies.business.get())) return []
    return registrationsLease(dependencies.db, most, clock())
  },
  work: (due) => check(dependencies, due, clock()),
  renew: (all) => checksRenew(dependencies.db, all),
})

async function check({ db, config, log }: Needs, due: DueCheck, now: Date): Promise<WriteOutcome> {
  try {
    const published = await readBusinessProfile(due.profile_url, due.deployment_mode, config)
    if (published.discarded.length > 0)
      log.warn(
        { registration: due.id, discarded: published.discarded },
        'The profile of a listed business has capability entries that do not count.',
      )
    return () => registrationCheckPassed(db, due, published, now)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const failures = due.failures + 1
    const problem = isGone(failures) ? error.message : null
    return () => registrationCheckFailed(db, due, { failures, problem, nextCheck: afterFailure(now, failures) })
  }
}

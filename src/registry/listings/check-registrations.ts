import { type Work, workAll } from '../../jobs/worker.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { hasRegistry } from '../../protocol/served-capabilities.ts'
import { readBusinessProfile } from '../indexing/business-profile.ts'
import { checksRenew, type DueCheck, registrationFail, registrationPass, registrationsTake } from './check-queries.ts'
import { afterFailure, isGone } from './check-times.ts'

type Needs = Means<'db' | 'config' | 'business' | 'log'>

/** Looked at side by side, so that those that do not answer take no longer than one of them. */
const AT_ONCE = 50

/**
 * Looks whether listed businesses still publish a valid profile. Who has not done so for more than a day is left out of
 * searches until it does again.
 */
export async function checkRegistrations(means: Needs, now: Date): Promise<void> {
  if (hasRegistry(await means.business.get())) await workAll(means, checks(means, now))
}

const checks = (means: Needs, now: Date): Work<DueCheck> => ({
  name: 'checking a profile',
  atOnce: AT_ONCE,
  take: (most) => registrationsTake(means.db, most, now),
  work: (due) => check(means, due, now),
  renew: (all) => checksRenew(means.db, all),
})

async function check({ db, config }: Needs, due: DueCheck, now: Date): Promise<void> {
  try {
    await registrationPass(db, due, await readBusinessProfile(due.profile_url, due.deployment_mode, config), now)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const failures = due.failures + 1
    const problem = isGone(failures) ? error.message : null
    await registrationFail(db, due, { failures, problem, nextCheck: afterFailure(now, failures) })
  }
}

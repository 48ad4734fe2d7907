import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { hasRegistry } from '../../protocol/served-capabilities.ts'
import { readBusinessProfile } from '../indexing/business-profile.ts'
import { type DueCheck, registrationFail, registrationPass, registrationsTake } from './check-queries.ts'
import { afterFailure, isGone } from './check-times.ts'

/** Looked at side by side, so that those that do not answer take no longer than one of them. */
const AT_ONCE = 50

/**
 * Looks whether listed businesses still publish a valid profile. Who has not done so for more than a day is left out of
 * searches until it does again.
 */
export async function checkRegistrations(means: Means<'db' | 'config' | 'business' | 'log'>, now: Date): Promise<void> {
  const { db, business } = means
  if (!hasRegistry(await business.get())) return
  const due = await registrationsTake(db, AT_ONCE, now)
  await Promise.all(due.map((one) => check(means, one, now)))
}

async function check({ db, config, log }: Means<'db' | 'config' | 'log'>, due: DueCheck, now: Date): Promise<void> {
  try {
    await registrationPass(db, due, await readBusinessProfile(due.profile_url, due.deployment_mode, config), now)
  } catch (error) {
    if (!(error instanceof ProtocolError)) return log.warn({ err: error, registration: due.id }, 'checking a profile')
    const failures = due.failures + 1
    const problem = isGone(failures) ? error.message : null
    await registrationFail(db, due, { failures, problem, nextCheck: afterFailure(now, failures) })
  }
}

import { forgetSignInLinks } from '../accounts/sign-in-links.ts'
import { forgetOldPrincipals } from '../authentication/bind-identity.ts'
import { forgetOldProofs } from '../authentication/replay.ts'
import { forgetStaffLinks } from '../authentication/staff-links.ts'
import { forgetStaffSessions } from '../authentication/staff-sessions.ts'
import { forgetHolds } from '../availability/forget-holds.ts'
import { expireOverdue } from '../bookings/expire-overdue.ts'
import { forgetCredentials } from '../bookings/forget-credentials.ts'
import { forgetGuestCodes } from '../bookings/guest-codes.ts'
import { remind } from '../bookings/remind.ts'
import type { OpenDatabase } from '../db/database.ts'
import { syncSessions, syncSessionsIfBehind } from '../definition/sync-sessions.ts'
import { customersForget } from '../desk/customers/customer-queries.ts'
import { eraseOldPeople } from '../desk/people/erase-old-people.ts'
import { forgetOldEvents, forgetReceivers } from '../events/forget-events.ts'
import { forgetSubscriptions } from '../feed/forget-subscriptions.ts'
import { refreshHints } from '../hints/refresh-hints.ts'
import type { Running } from '../jobs/loop.ts'
import { type RecurringJob, runDue, startRecurring } from '../jobs/recurring.ts'
import { forgetOldKeys, rotateWhenDue } from '../keys/rotate-keys.ts'
import { tidyLedger } from '../ledger/tidy.ts'
import { forgetMailCauses } from '../limits/mail-quota.ts'
import { forgetOldCounts } from '../limits/rate-limits.ts'
import { forgetStrangers } from '../limits/stranger-quota.ts'
import { forgetOldMails } from '../mails/queries.ts'
import { forgetPastDays } from '../registry/indexing/forget-past-days.ts'
import { forgetWords } from '../registry/search/forget-words.ts'
import { forgetOldReplies } from '../replies/replies.ts'
import type { Runtime } from '../runtime.ts'
import { DAY, MINUTE } from '../time/units.ts'
import { forgetAssistants } from '../tokens/assistants.ts'
import { forgetOldState } from '../tokens/oauth-state.ts'
import { forgetExpiredTokens } from '../tokens/revoked-tokens.ts'

type Job = RecurringJob<Runtime>

const onDatabase =
  (run: (db: OpenDatabase, now: Date) => Promise<void>): Job['run'] =>
  ({ db }, now) =>
    run(db, now)

/**
 * In this order: what lapses frees time, and free time is what hints tell of. None of them calls outside, for those after it
 * would wait for the answer too.
 */
const shortJobs: Job[] = [
  { name: 'forget proofs', every: MINUTE, run: onDatabase(forgetOldProofs) },
  { name: 'forget counts', every: MINUTE, run: onDatabase(forgetOldCounts) },
  { name: 'forget strangers', every: MINUTE, run: onDatabase(forgetStrangers) },
  { name: 'forget causes of mails', every: MINUTE, run: onDatabase(forgetMailCauses) },
  { name: 'forget replies', every: MINUTE, run: onDatabase(forgetOldReplies) },
  { name: 'forget OAuth state', every: MINUTE, run: onDatabase(forgetOldState) },
  { name: 'forget sign-in links', every: MINUTE, run: onDatabase(forgetSignInLinks) },
  { name: 'forget guest codes', every: MINUTE, run: onDatabase(forgetGuestCodes) },
  { name: 'forget desk links', every: MINUTE, run: onDatabase(forgetStaffLinks) },
  { name: 'forget desk sessions', every: MINUTE, run: onDatabase(forgetStaffSessions) },
  { name: 'forget expired tokens', every: MINUTE, run: onDatabase(forgetExpiredTokens) },
  { name: 'forget assistants', every: 60 * MINUTE, run: onDatabase(forgetAssistants) },
  { name: 'expire bookings', every: MINUTE, run: expireOverdue },
  { name: 'tidy the ledger', every: MINUTE, run: onDatabase(tidyLedger) },
  { name: 'forget holds', every: MINUTE, run: onDatabase(forgetHolds) },
  { name: 'forget credentials', every: MINUTE, run: onDatabase(forgetCredentials) },
  { name: 'forget people', every: 60 * MINUTE, run: eraseOldPeople },
  { name: 'forget customers', every: DAY, run: onDatabase((db) => customersForget(db, undefined)) },
  { name: 'remind', every: MINUTE, run: remind },
  { name: 'rotate keys', every: DAY, run: rotateWhenDue },
  { name: 'forget principals', every: 60 * MINUTE, run: onDatabase(forgetOldPrincipals) },
  { name: 'forget keys', every: DAY, run: onDatabase(forgetOldKeys) },
  { name: 'forget events', every: DAY, run: onDatabase(forgetOldEvents) },
  { name: 'forget receivers', every: DAY, run: onDatabase(forgetReceivers) },
  { name: 'forget subscriptions', every: DAY, run: onDatabase(forgetSubscriptions) },
  { name: 'forget mails', every: DAY, run: onDatabase(forgetOldMails) },
  { name: 'forget past days', every: 5 * MINUTE, run: onDatabase(forgetPastDays) },
  { name: 'forget words', every: DAY, run: onDatabase(forgetWords) },
]

/** What may take seconds: those before do not wait for it. */
const longJobs: Job[] = [
  {
    ...{ name: 'extend class sessions', every: DAY },
    run: (runtime, now, isClosing) => syncSessions(runtime, now, { shouldStop: isClosing }),
  },
  // Completes what an apply left: it was killed, its time was over, or a class was locked all the time.
  {
    ...{ name: 'complete class sessions', every: MINUTE },
    run: (runtime, now, isClosing) => syncSessionsIfBehind(runtime, now, { shouldStop: isClosing }),
  },
  { name: 'refresh hints', every: MINUTE, run: refreshHints },
]

export const jobs: Job[] = [...shortJobs, ...longJobs]

/** Does what is due now and from then on. Nothing depends on it: whoever reads what has lapsed looks at its time. */
export function startHousekeeping(runtime: Runtime): Running {
  const loops = [shortJobs, longJobs].map((some) => startRecurring(runtime, some))
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

export const runHousekeeping = (runtime: Runtime): Promise<void> => runDue(runtime, jobs)

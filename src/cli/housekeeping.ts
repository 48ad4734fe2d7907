import { forgetOldPrincipals } from '../core/authentication/bind-identity.ts'
import { forgetOldProofs } from '../core/authentication/replay.ts'
import { forgetStaffLinks } from '../core/authentication/staff-links.ts'
import { forgetStaffSessions } from '../core/authentication/staff-sessions.ts'
import { forgetOldEvents, forgetReceivers } from '../core/events/forget-events.ts'
import type { Running } from '../core/jobs/loop.ts'
import { type RecurringJob, runDue, startRecurring } from '../core/jobs/recurring.ts'
import { forgetOldKeys, rotateWhenDue } from '../core/keys/rotate-keys.ts'
import { tidyLedger } from '../core/ledger/tidy.ts'
import { forgetMailCauses } from '../core/limits/mail-quota.ts'
import { forgetOldCounts } from '../core/limits/rate-limits.ts'
import { forgetStrangers } from '../core/limits/stranger-quota.ts'
import { forgetOldMails } from '../core/mails/queries.ts'
import { forgetOldReplies } from '../core/records/stored-replies.ts'
import { forgetAssistants } from '../core/tokens/assistants.ts'
import { forgetOldState } from '../core/tokens/oauth-state.ts'
import { forgetExpiredTokens } from '../core/tokens/revoked-tokens.ts'
import { forgetSignInLinks } from '../domain/accounts/sign-in-links.ts'
import { forgetHolds } from '../domain/availability/forget-holds.ts'
import { refreshHints } from '../domain/availability/hints/refresh-hints.ts'
import { expireOverdue } from '../domain/bookings/expire-overdue.ts'
import { forgetCredentials } from '../domain/bookings/forget-credentials.ts'
import { forgetGuestCodes } from '../domain/bookings/guest-codes.ts'
import { remind } from '../domain/bookings/remind.ts'
import { syncSessions, syncSessionsIfBehind } from '../domain/definition/sync-sessions.ts'
import { customersForget } from '../domain/desk/customers/customer-queries.ts'
import { eraseOldPeople } from '../domain/desk/people/erase-old-people.ts'
import { forgetSubscriptions } from '../domain/feed/forget-subscriptions.ts'
import { forgetPastDays } from '../domain/registry/indexing/forget-past-days.ts'
import { forgetWords } from '../domain/registry/search/forget-words.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import { DAY, MINUTE } from '../infra/time/units.ts'
import type { Runtime } from '../server/runtime.ts'

type Job = RecurringJob<Runtime>

const onDatabase =
  (run: (db: OpenDatabase, now: Date) => Promise<void>): Job['run'] =>
  ({ db }, now) =>
    run(db, now)

/**
 * The jobs run in this order: expiry releases time, and hints describe free time. No job here calls another host,
 * because the later jobs would wait for its answer.
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

/** Jobs that may take seconds. They have their own loop and do not delay the short ones. */
const longJobs: Job[] = [
  {
    ...{ name: 'extend class sessions', every: DAY },
    run: (runtime, now, isClosing) => syncSessions(runtime, now, { shouldStop: isClosing }),
  },
  // Completes class sessions after an apply that was killed, ran out of time or met a locked class.
  {
    ...{ name: 'complete class sessions', every: MINUTE },
    run: (runtime, now, isClosing) => syncSessionsIfBehind(runtime, now, { shouldStop: isClosing }),
  },
  { name: 'refresh hints', every: MINUTE, run: refreshHints },
]

export const jobs: Job[] = [...shortJobs, ...longJobs]

/**
 * Runs the jobs that are due, now and from then on. No reader depends on it: readers check the expiry times themselves.
 */
export function startHousekeeping(runtime: Runtime): Running {
  const loops = [shortJobs, longJobs].map((some) => startRecurring(runtime, some))
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

export const runHousekeeping = (runtime: Runtime): Promise<void> => runDue(runtime, jobs)

import { deleteUnusedPrincipals } from '../core/authentication/bind-key-to-profile.ts'
import { deleteExpiredStaffLinks } from '../core/authentication/desk-sign-in-links.ts'
import { deleteExpiredProofs } from '../core/authentication/refuse-replayed-proofs.ts'
import { deleteExpiredStaffSessions } from '../core/authentication/staff-sessions.ts'
import { deleteOldEvents, deleteOldReceivers } from '../core/events/delete-old-events.ts'
import type { BackgroundLoop } from '../core/jobs/background-loop.ts'
import { type RecurringJob, runDue, startRecurring } from '../core/jobs/run-recurring-jobs.ts'
import { deleteExpiredKeys, rotateWhenDue } from '../core/keys/rotate-keys.ts'
import { cleanUpLedger } from '../core/ledger/delete-expired-claims.ts'
import { deleteExpiredMailCauses } from '../core/limits/mail-quota.ts'
import { deleteExpiredCounts } from '../core/limits/rate-limits.ts'
import { deleteExpiredStrangers } from '../core/limits/stranger-caller-quota.ts'
import { deleteOldMails } from '../core/mails/queries.ts'
import { deleteOldNews } from '../core/push/push-queries.ts'
import { deleteExpiredReplies } from '../core/records/stored-replies.ts'
import { deleteExpiredRevocations } from '../core/tokens/own-issuer.ts'
import { deleteExpiredAssistants } from '../core/tokens/registered-assistants.ts'
import { deleteExpiredOauthState } from '../core/tokens/stored-oauth-state.ts'
import { deleteExpiredSignInLinks } from '../domain/accounts/sign-in-links.ts'
import { refreshHints } from '../domain/availability/hints/refresh-availability-hints.ts'
import { deleteOldHolds } from '../domain/availability/hold-queries.ts'
import { expireOverdue } from '../domain/bookings/expire-overdue-bookings.ts'
import { deleteExpiredGuestCodes } from '../domain/bookings/guest-codes.ts'
import { deleteExpiredCredentials } from '../domain/bookings/issue-booking-credential.ts'
import { remind } from '../domain/bookings/send-reminders.ts'
import { syncSessions, syncSessionsIfBehind } from '../domain/definition/sync-class-sessions.ts'
import { orphanedCustomersDelete } from '../domain/desk/customers/customer-queries.ts'
import { eraseOldPeople } from '../domain/desk/people/erase-personal-data.ts'
import { queueInboxNews } from '../domain/desk/push/queue-inbox-news.ts'
import { deleteOldSubscriptions } from '../domain/feed/queries.ts'
import { deleteUnusedPictures } from '../domain/pictures/delete-unused-pictures.ts'
import { deleteFormerServices, recountAvailability } from '../domain/registry/indexing/update-next-free-days.ts'
import { deleteUnusedWords } from '../domain/registry/search/delete-unused-words.ts'
import { deleteOldCheckouts } from '../domain/ucp-checkouts/queries.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import { DAY, MINUTE } from '../infra/time/time-units.ts'
import type { Runtime } from '../server/build-dependencies.ts'

type Job = RecurringJob<Runtime>

const onDatabase =
  (run: (db: OpenDatabase, now: Date) => Promise<void>): Job['run'] =>
  ({ db }, now) =>
    run(db, now)

/**
 * The short recurring jobs, in the order in which the server runs them. No job in this list calls another host, because
 * the next jobs would have to wait for the answer.
 */
const shortJobs: Job[] = [
  { name: 'forget proofs', intervalMs: MINUTE, run: onDatabase(deleteExpiredProofs) },
  { name: 'forget counts', intervalMs: MINUTE, run: onDatabase(deleteExpiredCounts) },
  { name: 'forget strangers', intervalMs: MINUTE, run: onDatabase(deleteExpiredStrangers) },
  { name: 'forget causes of mails', intervalMs: MINUTE, run: onDatabase(deleteExpiredMailCauses) },
  { name: 'forget replies', intervalMs: MINUTE, run: onDatabase(deleteExpiredReplies) },
  { name: 'forget OAuth state', intervalMs: MINUTE, run: onDatabase(deleteExpiredOauthState) },
  { name: 'forget sign-in links', intervalMs: MINUTE, run: onDatabase(deleteExpiredSignInLinks) },
  { name: 'forget guest codes', intervalMs: MINUTE, run: onDatabase(deleteExpiredGuestCodes) },
  { name: 'forget desk links', intervalMs: MINUTE, run: onDatabase(deleteExpiredStaffLinks) },
  { name: 'forget desk sessions', intervalMs: MINUTE, run: onDatabase(deleteExpiredStaffSessions) },
  { name: 'forget expired tokens', intervalMs: MINUTE, run: onDatabase(deleteExpiredRevocations) },
  { name: 'forget assistants', intervalMs: 60 * MINUTE, run: onDatabase(deleteExpiredAssistants) },
  { name: 'expire bookings', intervalMs: MINUTE, run: expireOverdue },
  { name: 'tidy the ledger', intervalMs: MINUTE, run: onDatabase(cleanUpLedger) },
  { name: 'forget holds', intervalMs: MINUTE, run: onDatabase(deleteOldHolds) },
  { name: 'forget checkouts', intervalMs: 60 * MINUTE, run: onDatabase(deleteOldCheckouts) },
  { name: 'forget credentials', intervalMs: MINUTE, run: onDatabase(deleteExpiredCredentials) },
  { name: 'forget people', intervalMs: 60 * MINUTE, run: eraseOldPeople },
  { name: 'forget customers', intervalMs: DAY, run: onDatabase((db) => orphanedCustomersDelete(db, undefined)) },
  { name: 'remind', intervalMs: MINUTE, run: remind },
  { name: 'find news of the inbox', intervalMs: MINUTE, run: queueInboxNews },
  { name: 'rotate keys', intervalMs: DAY, run: rotateWhenDue },
  { name: 'forget principals', intervalMs: 60 * MINUTE, run: onDatabase(deleteUnusedPrincipals) },
  { name: 'forget keys', intervalMs: DAY, run: onDatabase(deleteExpiredKeys) },
  { name: 'forget events', intervalMs: DAY, run: onDatabase(deleteOldEvents) },
  { name: 'forget receivers', intervalMs: DAY, run: onDatabase(deleteOldReceivers) },
  { name: 'forget pictures', intervalMs: 60 * MINUTE, run: onDatabase(deleteUnusedPictures) },
  { name: 'forget subscriptions', intervalMs: DAY, run: onDatabase(deleteOldSubscriptions) },
  { name: 'forget mails', intervalMs: DAY, run: onDatabase(deleteOldMails) },
  { name: 'forget news', intervalMs: DAY, run: onDatabase(deleteOldNews) },
  { name: 'forget past days', intervalMs: MINUTE, run: onDatabase(recountAvailability) },
  { name: 'forget former services', intervalMs: 15 * MINUTE, run: onDatabase(deleteFormerServices) },
  { name: 'forget words', intervalMs: DAY, run: onDatabase(deleteUnusedWords) },
]

/**
 * Recurring jobs that can take seconds. They run in a separate loop, so that they do not delay the short recurring
 * jobs.
 */
const longJobs: Job[] = [
  {
    name: 'extend class sessions',
    intervalMs: DAY,
    run: (runtime, now, isClosing) => syncSessions(runtime, now, { shouldStop: isClosing }),
  },
  // Creates the class sessions that `usp apply` did not create. That command can be killed, run out of time or find a
  // locked class.
  {
    name: 'complete class sessions',
    intervalMs: MINUTE,
    run: (runtime, now, isClosing) => syncSessionsIfBehind(runtime, now, { shouldStop: isClosing }),
  },
  { name: 'refresh hints', intervalMs: MINUTE, run: refreshHints },
]

export const jobs: Job[] = [...shortJobs, ...longJobs]

/**
 * Starts the recurring jobs. Reads are correct even if a job runs late, because reads check expiry times themselves.
 */
export function startHousekeeping(runtime: Runtime): BackgroundLoop {
  const loops = [shortJobs, longJobs].map((jobs) => startRecurring(runtime, jobs))
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}

export const runHousekeeping = (runtime: Runtime): Promise<void> => runDue(runtime, jobs)

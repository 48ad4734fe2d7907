import type { FastifyBaseLogger } from 'fastify'
import { makeNonces, type Nonces } from '../core/authentication/proof-nonces.ts'
import { cachedBusiness } from '../core/business/definition-facts.ts'
import type { SnapshotBodies } from '../core/events/event-body.ts'
import { deriveKey, sealingKeysOf } from '../core/keys/encrypt-secrets.ts'
import { type CallerFetchLimits, callerFetchLimits } from '../core/limits/limit-fetches-for-callers.ts'
import { defaultLimits } from '../core/limits/rate-limits.ts'
import { strangerLimitAlarm } from '../core/limits/stranger-caller-quota.ts'
import { outboxOf } from '../core/mails/build-queued-mails.ts'
import type { NotificationWriters } from '../core/mails/notification-text.ts'
import type { MailDependencies } from '../core/mails/send-mail.ts'
import { type KeyDirectories, keyDirectories } from '../core/profiles/bot-key-directories.ts'
import { type PlatformProfiles, platformProfiles } from '../core/profiles/platform-profiles.ts'
import type { WritePushText } from '../core/push/push-text.ts'
import { type AccessTokens, accessTokens } from '../core/tokens/access-tokens.ts'
import { signInMailWriter } from '../domain/accounts/sign-in-mail-text.ts'
import { bookingBody } from '../domain/bookings/booking-events.ts'
import { isOutdated } from '../domain/bookings/outdated-notifications.ts'
import { pushTextWriter } from '../domain/desk/push/write-push-text.ts'
import { staffNotificationOf } from '../domain/desk/staff/staff-notification.ts'
import { bookingNotificationWriter } from '../domain/notifications/booking-notification.ts'
import { guestCodeMailWriter } from '../domain/notifications/guest-code-mail.ts'
import { type Providers, paymentProviders } from '../domain/payments/find-payment-provider.ts'
import { orderBody } from '../domain/ucp-checkouts/order-event-body.ts'
import { entryBody } from '../domain/waitlist/entry-response.ts'
import { entryNotificationOf } from '../domain/waitlist/notifications/entry-notification.ts'
import { offerPending, offerReleasedInTransaction } from '../domain/waitlist/run-waitlist-offers.ts'
import type { Config } from '../infra/config/read-config.ts'
import type { PoolUsages } from '../infra/db/connection-pool-usage.ts'
import type { OpenDatabase } from '../infra/db/database.ts'
import type { Outbox } from '../infra/db/queued-mail-types.ts'
import { makeReadAtStandby } from '../infra/db/standby-reads.ts'
import { type Metrics, makeMetrics } from '../infra/telemetry/metrics.ts'
import { redactingLog } from '../infra/telemetry/redacting-log.ts'
import { unitOfWorkRunner } from '../pipeline/run-call-in-unit-of-work.ts'
import type { DefaultLimits } from '../protocol/call-limit-types.ts'
import type { Operation } from '../protocol/define-operation.ts'
import type { AllDependencies, Dependencies } from '../protocol/dependency-types.ts'
import { makeTag } from '../protocol/keyed-digest.ts'
import { makeCursors } from '../protocol/page-cursors.ts'

/** The objects that all parts of the server share. Tests supply their own database and clock. */
export interface Runtime extends AllDependencies {
  db: OpenDatabase
  fetches: CallerFetchLimits
  profiles: PlatformProfiles
  /**
   * The profiles of the businesses in the directory. The server's list of accepted platforms does not apply to these
   * profiles.
   */
  businesses: PlatformProfiles
  /** The public keys of web bots that sign their requests (Web Bot Auth). */
  directories: KeyDirectories
  nonces: Nonces
  accessTokens: AccessTokens
  payments: Providers
  services: Dependencies<
    'limits' | 'operations' | 'mailServerKey' | 'calendarKey' | 'textProviderKey' | 'companySignInKey'
  > & {
    payments: Providers
    letters: NotificationWriters
  }
  snapshotBodies: SnapshotBodies
  /** Returns the outbox, which turns a notification into mails, for the current business definition. */
  outbox: () => Promise<Outbox>
  letters: NotificationWriters
  isOutdated: MailDependencies['isOutdated']
  /** Writes the push notifications to the staff. */
  pushText: WritePushText
  metrics: Metrics
  /**
   * The number of used connections of each database connection pool. There is one pool for calls, and there can be
   * pools for standby databases and the background thread.
   */
  pools: PoolUsages
}

export interface Foundation {
  config: Config
  db: OpenDatabase
  standby?: OpenDatabase | undefined
  clock: () => Date
  clockFault?: () => string | undefined
  log: FastifyBaseLogger
  secretKey: string
  operations: Operation[]
  limits?: DefaultLimits
}

export function makeRuntime({
  config,
  db,
  standby,
  clock,
  clockFault = () => undefined,
  log,
  secretKey,
  operations,
  limits = defaultLimits,
}: Foundation): Runtime {
  const boxes = sealingKeysOf(secretKey)
  const business = cachedBusiness(db)
  const fetching = { config, clock, db, business, limits }
  const fetches = callerFetchLimits(fetching)
  const metrics = makeMetrics()
  const redactedLog = redactingLog(log)
  const profiles = platformProfiles({ config, log: redactedLog, clock, fetches })
  const tag = makeTag(deriveKey(secretKey, 'tags'))
  const payments = paymentProviders(config)
  const outbox = outboxOf({ config, business })
  const letters = {
    booking: bookingNotificationWriter({ config, tag }),
    entry: entryNotificationOf({ config, tag }),
    account: signInMailWriter({ config, tag }),
    guest: guestCodeMailWriter({ tag }),
    staff: staffNotificationOf({ config, tag }),
  }
  const offering = { db, business, tag, clock, outbox }
  return {
    config,
    db,
    readAtStandby: makeReadAtStandby({ db, standby, metrics, log: redactedLog }),
    makeChange: unitOfWorkRunner(
      db,
      {
        offerReleased: (change) => offerReleasedInTransaction(change, offering),
        offerPending: () => offerPending(offering),
      },
      outbox,
    ),
    clock,
    clockFault,
    log: redactedLog,
    metrics,
    pools: poolsOf(db, standby),
    strangerLimitMet: strangerLimitAlarm(metrics, redactedLog, clock),
    operations,
    limits,
    business,
    fetches,
    profiles,
    businesses: platformProfiles({
      config: { ...config, profileAllowlist: [] },
      log: redactedLog,
      clock,
      // The directory has its own limits for profile fetches. Otherwise, fetches on behalf of callers would use up the
      // limits of the directory.
      fetches: callerFetchLimits(fetching),
    }),
    directories: keyDirectories({ config, clock, fetches }),
    cursors: makeCursors(deriveKey(secretKey, 'cursors')),
    tag,
    nonces: makeNonces(deriveKey(secretKey, 'nonces')),
    replyKey: boxes.replies,
    signingBox: boxes.signingKeys,
    oauthKey: boxes.oauthKeys,
    mailServerKey: boxes.mailServer,
    pushBox: boxes.push,
    calendarKey: boxes.calendars,
    textProviderKey: boxes.textProvider,
    companySignInKey: boxes.companySignIn,
    accessTokens: accessTokens(db, config, boxes.oauthKeys, clock),
    payments,
    services: {
      limits,
      operations,
      payments,
      letters,
      mailServerKey: boxes.mailServer,
      calendarKey: boxes.calendars,
      textProviderKey: boxes.textProvider,
      companySignInKey: boxes.companySignIn,
    },
    snapshotBodies: {
      booking: bookingBody({ config, tag }),
      entry: entryBody({ tag }),
      order: orderBody(db, { config, tag, business, profiles }),
    },
    outbox,
    letters,
    isOutdated: (mail) => isOutdated(db, mail),
    pushText: pushTextWriter({ db, business, clock }),
  }
}

const poolsOf = (db: OpenDatabase, standby: OpenDatabase | undefined): PoolUsages =>
  new Map([['calls', () => db.driver.usage], ...(standby ? [['standby', () => standby.driver.usage] as const] : [])])

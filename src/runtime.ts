import type { FastifyBaseLogger } from 'fastify'
import { accountLetterOf } from './accounts/sign-in-letter.ts'
import { makeNonces, type Nonces } from './authentication/nonces.ts'
import { bookingBody } from './bookings/event-body.ts'
import { bookingLetterOf } from './bookings/letters/booking-letter.ts'
import { guestLetterOf } from './bookings/letters/guest-letter.ts'
import { currentBusiness } from './business/current.ts'
import type { Config } from './config/config.ts'
import type { OpenDatabase } from './db/database.ts'
import type { Pools } from './db/occupancy.ts'
import type { Outbox } from './db/outbox.ts'
import { readsAt } from './db/standby-reads.ts'
import { staffLetterOf } from './desk/staff/staff-letter.ts'
import type { SnapshotBodies } from './events/event-body.ts'
import { boxesOf } from './keys/boxes.ts'
import { deriveKey } from './keys/secret-box.ts'
import { type FetchesForCallers, fetchesForCallers } from './limits/fetches-for-callers.ts'
import { usualLimits } from './limits/rate-limits.ts'
import { strangerLimitAlarm } from './limits/stranger-limit-met.ts'
import type { Letters } from './mails/letter.ts'
import { outboxOf } from './mails/outbox.ts'
import { type Metrics, makeMetrics } from './monitoring/metrics.ts'
import { redactingLog } from './monitoring/redacting-log.ts'
import { type Providers, paymentProviders } from './payments/providers.ts'
import { changesOf } from './pipeline/change.ts'
import { type KeyDirectories, keyDirectories } from './profiles/key-directories.ts'
import { type PlatformProfiles, platformProfiles } from './profiles/platform-profiles.ts'
import { makeCursors } from './protocol/cursor.ts'
import type { UsualLimits } from './protocol/limits.ts'
import type { Everything, Means } from './protocol/means.ts'
import type { Operation } from './protocol/operation.ts'
import { makeTag } from './protocol/tags.ts'
import { type AccessTokens, accessTokens } from './tokens/access-tokens.ts'
import { entryBody } from './waitlist/event-body.ts'
import { entryLetterOf } from './waitlist/letters/entry-letter.ts'
import { offerFreed, offerPending } from './waitlist/offer-freed.ts'

/** What the whole server runs on. Tests put their own database and clock in. */
export interface Runtime extends Everything {
  db: OpenDatabase
  fetches: FetchesForCallers
  profiles: PlatformProfiles
  /** The same of the businesses that are listed in the registry: whom this business serves as platforms is another matter. */
  businesses: PlatformProfiles
  /** The keys of agents that sign what they send. */
  directories: KeyDirectories
  nonces: Nonces
  accessTokens: AccessTokens
  payments: Providers
  /** What single operations need. */
  services: Means<'limits' | 'operations'> & { payments: Providers; letters: Letters }
  snapshotBodies: SnapshotBodies
  /** What is written of a mail, as things are now. */
  outbox: () => Promise<Outbox>
  letters: Letters
  metrics: Metrics
  /** Who has connections: calls and, where they are, standbys and the thread in the background. */
  pools: Pools
}

/** What the rest is made from. */
export interface Foundation {
  config: Config
  db: OpenDatabase
  /** Where standbys are read. */
  standby?: OpenDatabase | undefined
  clock: () => Date
  clockFault?: () => string | undefined
  log: FastifyBaseLogger
  secretKey: string
  operations: Operation[]
  limits?: UsualLimits
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
  limits = usualLimits,
}: Foundation): Runtime {
  const boxes = boxesOf(secretKey)
  const business = currentBusiness(db)
  const fetching = { config, clock, db, business, limits }
  const fetches = fetchesForCallers(fetching)
  const metrics = makeMetrics()
  const redactedLog = redactingLog(log)
  const tag = makeTag(deriveKey(secretKey, 'tags'))
  const payments = paymentProviders(config)
  const outbox = outboxOf({ config, business })
  const letters = {
    booking: bookingLetterOf({ config, tag }),
    entry: entryLetterOf({ config, tag }),
    account: accountLetterOf({ config, tag }),
    guest: guestLetterOf({ tag }),
    staff: staffLetterOf({ config, tag }),
  }
  const offering = { db, business, tag, clock, outbox }
  return {
    config,
    db,
    readAtStandby: readsAt({ db, standby, metrics, log: redactedLog }),
    makeChange: changesOf(
      db,
      { offerFreed: (change) => offerFreed(change, offering), offerPending: () => offerPending(offering) },
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
    profiles: platformProfiles({ config, clock, fetches }),
    businesses: platformProfiles({
      ...{ config: { ...config, profileAllowlist: [] }, clock },
      // What callers have fetched takes nothing from it.
      fetches: fetchesForCallers(fetching),
    }),
    directories: keyDirectories({ config, clock, fetches }),
    cursors: makeCursors(deriveKey(secretKey, 'cursors')),
    tag,
    nonces: makeNonces(deriveKey(secretKey, 'nonces')),
    replyKey: boxes.replies,
    signingBox: boxes.signingKeys,
    oauthKey: boxes.oauthKeys,
    accessTokens: accessTokens(db, config, boxes.oauthKeys, clock),
    payments,
    services: { limits, operations, payments, letters },
    snapshotBodies: { booking: bookingBody({ config, tag }), entry: entryBody({ tag }) },
    outbox,
    letters,
  }
}

const poolsOf = (db: OpenDatabase, standby: OpenDatabase | undefined): Pools =>
  new Map([
    ['calls', () => db.driver.occupancy],
    ...(standby ? [['standby', () => standby.driver.occupancy] as const] : []),
  ])

import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type CurrentBusiness, currentBusiness } from './business/current.ts'
import type { Config } from './config.ts'
import type { OpenDatabase } from './db/database.ts'
import { discreet } from './discreet.ts'
import { type Metrics, makeMetrics } from './metrics.ts'
import { type AccessTokens, accessTokens } from './oauth/access-tokens.ts'
import { type Providers, paymentProviders } from './payments/providers.ts'
import { changesOf, type MakeChange } from './protocol/change.ts'
import { type Cursors, makeCursors } from './protocol/cursor.ts'
import type { Operation } from './protocol/operation.ts'
import { boxesOf } from './trust/boxes.ts'
import { makeNonces, type Nonces } from './trust/nonces.ts'
import { type PlatformProfiles, platformProfiles } from './trust/platform-profiles.ts'
import { type StrangerLimit, type UsualLimits, usualLimits } from './trust/rate-limits.ts'
import { deriveKey } from './trust/secret-box.ts'
import { strangerLimitAlarm } from './trust/stranger-limit-met.ts'
import { makeTag, type Tag } from './trust/tags.ts'
import { lookAfter, offerFreed } from './waitlist/offer-freed.ts'

/** What the whole server runs on. Tests put their own database and clock in. */
export interface Runtime {
  config: Config
  db: OpenDatabase
  makeChange: MakeChange
  clock: () => Date
  /** What is wrong with this server's own clock, in a sentence; nothing when it is right. */
  clockFault: () => string | undefined
  cursors: Cursors
  tag: Tag
  log: FastifyBaseLogger
  operations: Operation[]
  business: CurrentBusiness
  profiles: PlatformProfiles
  /** The same of the businesses that are listed in the registry: whom this business serves as platforms is another matter. */
  businesses: PlatformProfiles
  nonces: Nonces
  accessTokens: AccessTokens
  payments: Providers
  metrics: Metrics
  /** Calls a minute and the like, where the business names no number of its own. */
  limits: UsualLimits
  /** To be told when strangers have as much as they may. */
  strangerLimitMet(limit: StrangerLimit): void
  /** Seals what is stored of answers. */
  replyKey: KeyObject
  /** Seals the keys that events are signed with. */
  signingBox: KeyObject
  /** Seals the keys that access tokens are signed with. */
  oauthKey: KeyObject
}

/** What the rest is made from. */
export interface Foundation {
  config: Config
  db: OpenDatabase
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
  clock,
  clockFault = () => undefined,
  log,
  secretKey,
  operations,
  limits = usualLimits,
}: Foundation): Runtime {
  const boxes = boxesOf(secretKey)
  const business = currentBusiness(db)
  const means = { db, business, limits }
  const metrics = makeMetrics()
  const discreetLog = discreet(log)
  const tag = makeTag(deriveKey(secretKey, 'tags'))
  const offering = { db, business, tag, clock }
  return {
    config,
    db,
    makeChange: changesOf(db, {
      offerFreed: (change) => offerFreed(change, offering),
      lookAfter: () => lookAfter(offering),
    }),
    clock,
    clockFault,
    log: discreetLog,
    metrics,
    strangerLimitMet: strangerLimitAlarm(metrics, discreetLog, clock),
    operations,
    limits,
    business,
    profiles: platformProfiles(config, means, clock),
    businesses: platformProfiles({ ...config, profileAllowlist: [] }, means, clock),
    cursors: makeCursors(deriveKey(secretKey, 'cursors')),
    tag,
    nonces: makeNonces(deriveKey(secretKey, 'nonces')),
    replyKey: boxes.replies,
    signingBox: boxes.signingKeys,
    oauthKey: boxes.oauthKeys,
    accessTokens: accessTokens(db, config, boxes.oauthKeys, clock),
    payments: paymentProviders(config),
  }
}

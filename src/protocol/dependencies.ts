import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../infra/config/config.ts'
import type { Database } from '../infra/db/database.ts'
import type { ReadAtStandby } from '../infra/db/standby-reads.ts'
import type { RunUnitOfWork } from '../infra/db/unit-of-work.ts'
import type { Cursors } from './cursor.ts'
import type { DefaultLimits, StrangerLimit, UnprovenCaller } from './limits.ts'
import type { Operation } from './operation.ts'
import type { Tag } from './tags.ts'
import type { BusinessDefinition } from './types.generated.ts'

/** The dependencies that many functions share. A function names its other dependencies in its own type. */
export interface AllDependencies {
  config: Config
  db: Database
  /** Reads at a standby, if the standby has every acknowledged change. Otherwise reads at the primary. */
  readAtStandby: ReadAtStandby
  makeChange: RunUnitOfWork
  clock: () => Date
  /** Returns a sentence about the fault of this server's clock, or undefined if the clock is right. */
  clockFault: () => string | undefined
  cursors: Cursors
  tag: Tag
  log: FastifyBaseLogger
  operations: Operation[]
  business: CurrentBusiness
  /** The limits that apply if the business configures no limits, such as calls in a minute. */
  limits: DefaultLimits
  strangerLimitMet(caller: UnprovenCaller, limit: StrangerLimit): void
  replyKey: KeyObject
  /** Key that encrypts the stored keys with which the server signs events and answers. */
  signingBox: KeyObject
  /** Key that encrypts the stored keys with which the server signs access tokens. */
  oauthKey: KeyObject
}

/** The dependencies that a function needs, by name: `Dependencies<'db' | 'clock'>`. */
export type Dependencies<Name extends keyof AllDependencies> = Pick<AllDependencies, Name>

export interface CurrentBusiness {
  /** Returns the definition in force. The result may be one second old. */
  get(): Promise<BusinessDefinition | undefined>
  /**
   * Returns the definition as a transaction sees it. The waitlist needs it for capacity that a new definition releases.
   */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
}

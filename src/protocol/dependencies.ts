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

/** The shared dependencies of the server. A dependency of only a few functions is named with its own type there. */
export interface AllDependencies {
  config: Config
  db: Database
  /** Reads at a standby that has every acknowledged change, otherwise at the primary. */
  readAtStandby: ReadAtStandby
  makeChange: RunUnitOfWork
  clock: () => Date
  /** A sentence about the fault of this server's clock; undefined when the clock is right. */
  clockFault: () => string | undefined
  cursors: Cursors
  tag: Tag
  log: FastifyBaseLogger
  operations: Operation[]
  business: CurrentBusiness
  /** Limits such as calls in a minute, when the business configures none. */
  limits: DefaultLimits
  strangerLimitMet(caller: UnprovenCaller, limit: StrangerLimit): void
  replyKey: KeyObject
  /** Seals the stored keys that sign events and answers. */
  signingBox: KeyObject
  /** Seals the keys that sign access tokens. */
  oauthKey: KeyObject
}

/** The dependencies of a function: `Dependencies<'db' | 'clock'>`. */
export type Dependencies<Name extends keyof AllDependencies> = Pick<AllDependencies, Name>

export interface CurrentBusiness {
  /** The definition in force. It may be one second old. */
  get(): Promise<BusinessDefinition | undefined>
  /** The definition as a transaction sees it, for capacity that a new definition releases. */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
}

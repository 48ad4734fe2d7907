import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { StoredMailServer } from '../infra/config/mail-server.ts'
import type { Config } from '../infra/config/read-config.ts'
import type { Database } from '../infra/db/database.ts'
import type { ReadAtStandby } from '../infra/db/standby-reads.ts'
import type { RunUnitOfWork } from '../infra/db/unit-of-work.ts'
import type { DefaultLimits, StrangerLimit, UnprovenCaller } from './call-limit-types.ts'
import type { Operation } from './define-operation.ts'
import type { Tag } from './keyed-digest.ts'
import type { Cursors } from './page-cursors.ts'
import type { BusinessDefinition } from './types.generated.ts'

/**
 * The services that many functions need, such as the database. If a function needs other services, its own type names
 * them.
 */
export interface AllDependencies {
  config: Config
  db: Database
  /**
   * Reads from a standby database, if it has every change that the server confirmed to a caller. Otherwise, reads from
   * the primary database.
   */
  readAtStandby: ReadAtStandby
  makeChange: RunUnitOfWork
  clock: () => Date
  /** Describes in a sentence how the clock of this server is wrong. Returns undefined if the clock is right. */
  clockFault: () => string | undefined
  cursors: Cursors
  tag: Tag
  log: FastifyBaseLogger
  operations: Operation[]
  business: CurrentBusiness
  /** The default limits, such as the number of calls in a minute. They apply if the business definition sets none. */
  limits: DefaultLimits
  strangerLimitMet(caller: UnprovenCaller, limit: StrangerLimit): void
  replyKey: KeyObject
  /** The key that encrypts the private keys that sign events and answers. The database stores them only encrypted. */
  signingBox: KeyObject
  /** The key that encrypts the private keys that sign access tokens. The database stores them only encrypted. */
  oauthKey: KeyObject
  /** The key that encrypts the password of the mail server. The database stores it only encrypted. */
  mailServerKey: KeyObject
}

/** Selects by name the dependencies that a function needs, such as `Dependencies<'db' | 'clock'>`. */
export type Dependencies<Name extends keyof AllDependencies> = Pick<AllDependencies, Name>

export interface CurrentBusiness {
  /** Returns the current business definition. It can be outdated by up to one second. */
  get(): Promise<BusinessDefinition | undefined>
  /**
   * Returns the business definition that the transaction sees. A new definition that is not committed yet can make time
   * or places free. The server needs it to offer them to the waitlist.
   */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
  /**
   * Returns the mail server that an owner entered at the desk. It can be outdated by up to one second. As long as the
   * mail server stays the same, each call returns the same object.
   */
  mailServer(): Promise<StoredMailServer | undefined>
}

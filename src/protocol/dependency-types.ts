import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { StoredMailServer } from '../infra/config/mail-server.ts'
import type { Config } from '../infra/config/read-config.ts'
import type { StoredTextProvider } from '../infra/config/text-provider.ts'
import type { Database } from '../infra/db/database.ts'
import type { ReadAtStandby } from '../infra/db/standby-reads.ts'
import type { RunUnitOfWork } from '../infra/db/unit-of-work.ts'
import type { DefaultLimits, StrangerLimit, UnprovenCaller } from './call-limit-types.ts'
import type { Operation } from './define-operation.ts'
import type { Tag } from './keyed-digest.ts'
import type { Cursors } from './page-cursors.ts'
import type { BusinessDefinition } from './types.generated.ts'

/**
 * The objects that many functions need, such as the database. A function that needs other objects names them in its own
 * type.
 */
export interface AllDependencies {
  config: Config
  db: Database
  /**
   * Reads from a standby database (a read-only copy) if it has every change that the server has confirmed to a caller.
   * Otherwise, reads from the primary database.
   */
  readAtStandby: ReadAtStandby
  makeChange: RunUnitOfWork
  clock: () => Date
  /** Returns a sentence that says how the clock of this server is wrong, or undefined if the clock is right. */
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
  /**
   * The key that encrypts the private keys for signing events and answers. The database stores these private keys only
   * encrypted.
   */
  signingBox: KeyObject
  /**
   * The key that encrypts the private keys for signing access tokens. The database stores these private keys only
   * encrypted.
   */
  oauthKey: KeyObject
  /** The key that encrypts the password of the mail server. The database stores this password only encrypted. */
  mailServerKey: KeyObject
  /**
   * The key that encrypts the private key for push notifications, and the addresses of the browsers that get them. The
   * database stores both only encrypted.
   */
  pushBox: KeyObject
  /** The key that encrypts the addresses of calendars at other providers. The database stores them only encrypted. */
  calendarKey: KeyObject
  /** The key that encrypts the secret of the provider of text messages. The database stores it only encrypted. */
  textProviderKey: KeyObject
  /** The key that encrypts the client secret of the company sign-in. The database stores it only encrypted. */
  companySignInKey: KeyObject
}

/** Selects by name the dependencies that a function needs, such as `Dependencies<'db' | 'clock'>`. */
export type Dependencies<Name extends keyof AllDependencies> = Pick<AllDependencies, Name>

export interface CurrentBusiness {
  /**
   * Returns the current business definition (the configuration of the business). It can be outdated by up to one
   * second.
   */
  get(): Promise<BusinessDefinition | undefined>
  /**
   * Returns the business definition as the transaction sees it, including an uncommitted new definition. The new
   * definition can release time or seats. The transaction then offers them to the waitlist.
   */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
  /**
   * Returns the mail server that an owner entered on the staff pages. The result can be outdated by up to one second.
   * As long as the mail server stays the same, each call returns the same object.
   */
  mailServer(): Promise<StoredMailServer | undefined>
  /** Whether a browser of a staff member gets push notifications. The result can be outdated by up to one second. */
  hasPushSubscriptions(): Promise<boolean>
  /**
   * Returns the provider of text messages that an owner entered on the staff pages. The result can be outdated by up to
   * one second.
   */
  textProvider(): Promise<StoredTextProvider | undefined>
}

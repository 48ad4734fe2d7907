import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ControlledTransaction } from 'kysely'
import { withTimeout } from '../util/with-timeout.ts'
import type { OpenDatabase } from './database.ts'
import { WrongHostRoleError } from './database-failures.ts'
import type { DB } from './schema.generated.ts'
import { type FindLogPosition, hasReplayed, type LogPosition } from './write-ahead-log-position.ts'

/**
 * Milliseconds to wait for an answer of the standby database before the read uses the primary, and milliseconds before
 * the server tries an unavailable standby again.
 */
const READER_WAIT_MS = 500
const SEARCH_PAUSE_MS = 1_000
/**
 * Before a read, the server checks whether the standby database has applied all changes. The values are the maximum
 * number of checks, and the milliseconds between two checks. A healthy standby needs one or two checks.
 */
const REPLAY_CHECKS = 4
const REPLAY_CHECK_PAUSE_MS = 4
const WARNING_INTERVAL_MS = 60_000

export type StandbyLog = Pick<FastifyBaseLogger, 'info' | 'warn'>
export type StandbyTransaction = ControlledTransaction<DB>

/**
 * A standby database (a read-only copy of the primary). The server searches for the standby in the background. Until
 * the server finds it, reads use the primary.
 */
export class Standby {
  #isFound = false
  #readers = 0
  #lookAt = 0
  #saidAt = Number.NEGATIVE_INFINITY
  #isLossSaid = false
  readonly #db: OpenDatabase
  readonly #log: StandbyLog

  constructor(db: OpenDatabase, log: StandbyLog) {
    this.#db = db
    this.#log = log
  }

  /**
   * Begins a read on the standby database. Returns undefined if the standby is unavailable, has no free connection, or
   * has not applied all changes yet.
   */
  async open(askPosition: FindLogPosition): Promise<StandbyTransaction | undefined> {
    if (!this.#isFound) this.#lookAgain(askPosition)
    if (!this.#isFound || this.#readers >= this.#db.driver.usage.most) return undefined
    let reading: StandbyTransaction | undefined
    this.#readers++
    try {
      const position = await askPosition()
      reading = position && (await this.#beginSoon(position))
      return reading
    } finally {
      if (!reading) this.#readers--
    }
  }

  async close(reading: StandbyTransaction): Promise<void> {
    await end(reading)
    this.#readers--
  }

  markLost(reason: unknown): void {
    this.#lookAt = performance.now() + SEARCH_PAUSE_MS
    this.#isFound = false
    if (this.#isLossSaid || performance.now() - this.#saidAt < WARNING_INTERVAL_MS) return
    this.#saidAt = performance.now()
    this.#isLossSaid = true
    this.#log.warn({ err: reason }, 'The standby is not read for now: the primary answers.')
  }

  #lookAgain(askPosition: FindLogPosition): void {
    if (performance.now() < this.#lookAt) return
    this.#lookAt = Number.POSITIVE_INFINITY
    this.#look(askPosition).then(
      () => this.#find(),
      (error) => this.markLost(error),
    )
  }

  async #look(askPosition: FindLogPosition): Promise<void> {
    const position = await askPosition()
    if (!position) throw new Error('There is no primary.')
    await end(await this.#begin(position))
  }

  #find(): void {
    this.#isFound = true
    if (this.#isLossSaid) this.#log.info('The standby is read again.')
    this.#isLossSaid = false
  }

  async #beginSoon(position: LogPosition): Promise<StandbyTransaction | undefined> {
    const beginning = this.#begin(position)
    try {
      return await withTimeout(beginning, READER_WAIT_MS, () => new Error('It does not answer in time.'))
    } catch (error) {
      beginning.then(end, () => {})
      this.markLost(error)
    }
  }

  async #begin(position: LogPosition): Promise<StandbyTransaction> {
    const reading = await this.#db.startTransaction().setAccessMode('read only').execute()
    try {
      await this.#awaitReplay(reading, position)
      return reading
    } catch (error) {
      await end(reading)
      // This host is not a standby. The server closes its connections, so that the search continues with the other
      // configured hosts.
      if (error instanceof WrongHostRoleError) this.#db.driver.dropIdle()
      throw error
    }
  }

  async #awaitReplay(reading: StandbyTransaction, position: LogPosition): Promise<void> {
    for (let checks = 1; ; checks++) {
      if (await hasReplayed(reading, position)) return
      if (checks === REPLAY_CHECKS) throw new Error('It is behind the primary.')
      await setTimeout(REPLAY_CHECK_PAUSE_MS)
    }
  }
}

/**
 * Ends a read at the standby with a rollback, because a read changes nothing. If the rollback fails, the pool closes
 * the connection.
 */
const end = (reading: StandbyTransaction): Promise<void> =>
  reading
    .rollback()
    .execute()
    .catch(() => {})

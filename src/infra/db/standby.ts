import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ControlledTransaction } from 'kysely'
import { inTime } from '../util/in-time.ts'
import type { OpenDatabase } from './database.ts'
import { OtherHost } from './failures.ts'
import { type AskPosition, hasReplayed, type LogPosition } from './log-position.ts'
import type { DB } from './schema.generated.ts'

/** Milliseconds until a reader uses the primary instead, and before the server tries a lost standby again. */
const PATIENCE = 500
const PAUSE = 1_000
/**
 * Number of checks whether the standby has caught up, and milliseconds in between. A close standby is one or two behind.
 */
const LOOKS = 4
const LOOK_PAUSE = 4
const SAID = 60_000

export type StandbyLog = Pick<FastifyBaseLogger, 'info' | 'warn'>
export type Reading = ControlledTransaction<DB>

/** A standby, or one of several. It counts as lost until the server finds one; readers do not wait for the search. */
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

  /** Begins a read. Undefined when the standby is lost, has no free connection or has not replayed the current log. */
  async open(askPosition: AskPosition): Promise<Reading | undefined> {
    if (!this.#isFound) this.#lookAgain(askPosition)
    if (!this.#isFound || this.#readers >= this.#db.driver.occupancy.most) return undefined
    let reading: Reading | undefined
    this.#readers++
    try {
      const position = await askPosition()
      reading = position && (await this.#beginSoon(position))
      return reading
    } finally {
      if (!reading) this.#readers--
    }
  }

  async close(reading: Reading): Promise<void> {
    await end(reading)
    this.#readers--
  }

  lose(reason: unknown): void {
    this.#lookAt = performance.now() + PAUSE
    this.#isFound = false
    if (this.#isLossSaid || performance.now() - this.#saidAt < SAID) return
    this.#saidAt = performance.now()
    this.#isLossSaid = true
    this.#log.warn({ err: reason }, 'The standby is not read for now: the primary answers.')
  }

  #lookAgain(askPosition: AskPosition): void {
    if (performance.now() < this.#lookAt) return
    this.#lookAt = Number.POSITIVE_INFINITY
    this.#look(askPosition).then(
      () => this.#find(),
      (error) => this.lose(error),
    )
  }

  async #look(askPosition: AskPosition): Promise<void> {
    const position = await askPosition()
    if (!position) throw new Error('There is no primary.')
    await end(await this.#begin(position))
  }

  #find(): void {
    this.#isFound = true
    if (this.#isLossSaid) this.#log.info('The standby is read again.')
    this.#isLossSaid = false
  }

  async #beginSoon(position: LogPosition): Promise<Reading | undefined> {
    const beginning = this.#begin(position)
    try {
      return await inTime(beginning, PATIENCE, () => new Error('It does not answer in time.'))
    } catch (error) {
      beginning.then(end, () => {})
      this.lose(error)
    }
  }

  async #begin(position: LogPosition): Promise<Reading> {
    const reading = await this.#db.startTransaction().setAccessMode('read only').execute()
    try {
      await this.#awaitReplay(reading, position)
      return reading
    } catch (error) {
      await end(reading)
      // Another configured host may be a standby.
      if (error instanceof OtherHost) this.#db.driver.leave()
      throw error
    }
  }

  async #awaitReplay(reading: Reading, position: LogPosition): Promise<void> {
    for (let looks = 1; ; looks++) {
      if (await hasReplayed(reading, position)) return
      if (looks === LOOKS) throw new Error('It is behind the primary.')
      await setTimeout(LOOK_PAUSE)
    }
  }
}

/** A read changes nothing. If the rollback fails, the pool discards the connection. */
const end = (reading: Reading): Promise<void> =>
  reading
    .rollback()
    .execute()
    .catch(() => {})

import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { MINUTE } from '../time/time-units.ts'
import type { Database } from './database.ts'
import { ChangesRefusedError } from './database-failures.ts'

/**
 * A clock that follows the time of the database. All servers use the database time, so that they agree on deadlines.
 */
export interface DatabaseClock {
  now(): Date
  check(db: Database): Promise<void>
  /**
   * Starts to read the database time every minute. Afterwards, the server refuses changes while the clock of this
   * machine is wrong. Returns a function that stops the readings.
   */
  keep(db: Database): () => void
  /** Returns a sentence that says how the clock of this machine is wrong, or undefined if the clock is right. */
  fault(): string | undefined
  /**
   * Throws an error while the clock of this machine is wrong, because the server must not make changes at a wrong time.
   */
  assertChangesAllowed(): void
}

/**
 * Limits for the error of this machine's clock, in milliseconds. Above `WARNED_MS`, the server logs a warning. Above
 * `REFUSED_MS`, the server refuses all changes.
 */
const WARNED_MS = 2_000
const REFUSED_MS = 30_000

/**
 * Milliseconds between two checks of this machine's clock. A check notices if the machine slept, or if its clock was
 * set.
 */
const CHECK_INTERVAL_MS = 1_000

export function databaseClock(log: Pick<FastifyBaseLogger, 'warn'>): DatabaseClock {
  // The milliseconds since the start of the process. This value grows even if the clock of the machine is set back.
  const elapsed = () => performance.now()
  let beginning = Date.now() - elapsed()
  let [checkedAt, leap, ahead, isKept] = [0, 0, 0, false]

  const now = () => new Date(beginning + elapsed())

  async function check(db: Database) {
    const askedAt = elapsed()
    const { rows } = await sql<{ at: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(db)
    const answered = elapsed()
    const at = rows[0]?.at ?? now().getTime()
    const [least, most] = [at - answered, at - askedAt]
    if (beginning < least || beginning > most) beginning = (least + most) / 2
    checkedAt = answered
    leap = Date.now() - elapsed()
    ahead = Date.now() - now().getTime()
    if (Math.abs(ahead) > WARNED_MS) log.warn({ seconds: Math.round(ahead / 1000) }, clockFault(ahead))
  }

  const isDue = () => elapsed() - checkedAt > MINUTE || Math.abs(Date.now() - elapsed() - leap) > WARNED_MS
  const fault = () =>
    Math.abs(ahead) > REFUSED_MS ? `${clockFault(ahead)} Until then the server refuses changes.` : undefined

  return {
    now,
    check,
    fault,
    assertChangesAllowed() {
      if (isKept && fault())
        throw new ChangesRefusedError('This server refuses changes while its clock is wrong. Try again later.')
    },
    keep(db) {
      isKept = true
      let isChecking = false
      const checkIfDue = async () => {
        if (isChecking || !isDue()) return
        isChecking = true
        await check(db).catch((error) => log.warn({ err: error }, 'The clock of the database could not be read.'))
        isChecking = false
      }
      const timer = setInterval(checkIfDue, CHECK_INTERVAL_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

const clockFault = (ahead: number) =>
  `The clock of this machine is ${Math.abs(Math.round(ahead / 1000))} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's: correct it, and synchronize it with NTP.`

import type { Metrics } from '../telemetry/metrics.ts'
import type { Database, OpenDatabase } from './database.ts'
import { failureOf } from './database-failures.ts'
import { Standby, type StandbyLog } from './standby-connection.ts'
import { logPositionFinder } from './write-ahead-log-position.ts'

/**
 * Runs the function `read` on a standby database or on the primary. `read` must use only the database that it receives.
 * If the standby fails, the server calls `read` again with the primary.
 */
export type ReadAtStandby = <T>(read: (db: Database) => Promise<T>) => Promise<T>

interface StandbyReadDependencies {
  db: OpenDatabase
  standby: OpenDatabase | undefined
  metrics: Pick<Metrics, 'reads'>
  log: StandbyLog
}

/**
 * Creates a function that reads from the standby database (a read-only copy) if the standby has all earlier commits of
 * all servers. Otherwise, the function reads from the primary.
 */
export function makeReadAtStandby({ db, standby: opened, metrics, log }: StandbyReadDependencies): ReadAtStandby {
  if (!opened) return (read) => read(db)
  const standby = new Standby(opened, log)
  const askPosition = logPositionFinder(db)

  const atPrimary: ReadAtStandby = (read) => {
    metrics.reads.inc({ at: 'primary' })
    return read(db)
  }
  return async (read) => {
    const reading = await standby.open(askPosition)
    if (!reading) return atPrimary(read)
    metrics.reads.inc({ at: 'standby' })
    try {
      return await read(reading)
    } catch (error) {
      const failure = failureOf(error)
      // A statement that takes too long on the standby would be slow on the primary too. Therefore the server does not
      // repeat it there.
      if (failure === undefined || failure === 'busy') throw error
      standby.markLost(error)
      return atPrimary(read)
    } finally {
      void standby.close(reading)
    }
  }
}

import type { Metrics } from '../telemetry/metrics.ts'
import type { Database, OpenDatabase } from './database.ts'
import { failureOf } from './failures.ts'
import { logPositionOf } from './log-position.ts'
import { Standby, type StandbyLog } from './standby.ts'

/** Whoever reads asks nothing but the database that is given, and may be called a second time with another. */
export type ReadAtStandby = <T>(read: (db: Database) => Promise<T>) => Promise<T>

interface Places {
  db: OpenDatabase
  standby: OpenDatabase | undefined
  metrics: Pick<Metrics, 'reads'>
  log: StandbyLog
}

/**
 * Reads at the standby when it has all that was acknowledged before somebody asks, whoever wrote it at whichever server;
 * otherwise at the primary.
 */
export function readsAt({ db, standby: opened, metrics, log }: Places): ReadAtStandby {
  if (!opened) return (read) => read(db)
  const standby = new Standby(opened, log)
  const askPosition = logPositionOf(db)

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
      // What takes too long there would take as long here.
      if (failure === undefined || failure === 'busy') throw error
      standby.lose(error)
      return atPrimary(read)
    } finally {
      void standby.close(reading)
    }
  }
}

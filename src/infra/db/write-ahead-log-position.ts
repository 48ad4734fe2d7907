import { sql } from 'kysely'
import { QueryBatcher } from '../util/query-batcher.ts'
import type { Database } from './database.ts'
import { WrongHostRoleError } from './database-failures.ts'
import { executePrepared } from './prepared-statements.ts'

/**
 * A position in the write-ahead log of PostgreSQL: a number (LSN) on a timeline. The same number on two timelines means
 * two different positions.
 */
export interface LogPosition {
  lsn: string
  timeline: number
}

/**
 * Finds the current position in the write-ahead log of PostgreSQL. Returns undefined if the database is not a primary.
 */
export type FindLogPosition = () => Promise<LogPosition | undefined>

/**
 * Reads the end of the primary's write-ahead log, once for all callers in one turn of the event loop. PostgreSQL writes
 * each commit to the log before it confirms the commit. Therefore all confirmed commits are before this position.
 */
export function logPositionFinder(db: Database): FindLogPosition {
  const together = new QueryBatcher<LogPosition | undefined>()
  return () => together.ask({ query: 'position' }, () => findPosition(db))
}

async function findPosition(db: Database): Promise<LogPosition | undefined> {
  const { rows } = await executePrepared(
    db,
    sql<LogPosition>`
      select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end)::text as lsn,
        ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
      where not pg_is_in_recovery()`,
  )
  return rows[0]
}

/**
 * Whether a standby has applied the write-ahead log up to a position. If so, its next query sees all changes before
 * this position. The timelines must be equal too, because a standby can have writes of a lost primary that the new
 * primary never received. After a change of the primary, a standby can report the new timeline late, for example only
 * after a checkpoint. Until then, the result is false.
 */
export async function hasReplayed(standby: Database, { lsn, timeline }: LogPosition): Promise<boolean> {
  const { rows } = await executePrepared(
    standby,
    sql<{ follows: boolean; reached: boolean | null }>`
      select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
        and (select min_recovery_end_timeline from pg_control_recovery()) = ${timeline}::integer as reached`,
  )
  if (!rows[0]?.follows) throw new WrongHostRoleError('This host is not a standby.')
  return rows[0].reached === true
}

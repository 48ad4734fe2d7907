import { sql } from 'kysely'
import { AskedTogether } from '../util/asked-together.ts'
import type { Database } from './database.ts'
import { OtherHost } from './failures.ts'
import { executePrepared } from './prepared.ts'

/** A place in the log that the primary writes and standbys follow; the same number means another place on another timeline. */
export interface LogPosition {
  lsn: string
  timeline: number
}

/** Nothing where the database is no primary. */
export type AskPosition = () => Promise<LogPosition | undefined>

/**
 * Asks how far the log of the primary reaches, once for all who ask in one turn. A commit that was acknowledged lies before
 * that: it was flushed, or at least written where the database does not wait for its disk.
 */
export function logPositionOf(db: Database): AskPosition {
  const together = new AskedTogether<LogPosition | undefined>()
  return () => together.ask({ what: 'position' }, () => findPosition(db))
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
 * Whether a standby has replayed the log to there: what is asked next sees all of it. It may have replayed what a primary wrote
 * that was lost, and that the next one never had. The timeline that it vouches for follows a promotion by a checkpoint.
 */
export async function hasReplayed(standby: Database, { lsn, timeline }: LogPosition): Promise<boolean> {
  const { rows } = await executePrepared(
    standby,
    sql<{ follows: boolean; reached: boolean | null }>`
      select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
        and (select min_recovery_end_timeline from pg_control_recovery()) = ${timeline}::integer as reached`,
  )
  if (!rows[0]?.follows) throw new OtherHost('This host is no standby.')
  return rows[0].reached === true
}

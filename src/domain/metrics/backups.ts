import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

/**
 * The metrics for the time and the size of the last backup. The server reports the time of the backup instead of its
 * age. The monitoring system computes the age, which therefore grows even if the server stops reporting.
 */
export const backups: Measure = {
  gauges: {
    taken: {
      name: 'usp_backup_timestamp_seconds',
      help: 'Unix time of the last backup; 0 if there is none',
    },
    bytes: { name: 'usp_backup_bytes', help: 'Size of the last backup in bytes' },
  },
  labels: [],
  query: () => sql`
    select extract(epoch from taken_at)::float8 as taken, bytes::float8 from last_backup`,
}

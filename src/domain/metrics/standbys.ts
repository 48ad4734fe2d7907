import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

/**
 * The delay of each standby (a copy of the database on another server) behind the primary database. The label is the
 * `application_name` of the standby. PostgreSQL shows the delay only to members of the role `pg_monitor`.
 */
export const standbys: Measure = {
  gauges: {
    bytes: {
      name: 'usp_standby_lag_bytes',
      help: 'Bytes of changes that the standby has not replayed yet, by standby',
    },
    seconds: {
      name: 'usp_standby_lag_seconds',
      help: 'Seconds that the standby was behind at its last report, by standby; 0 if nothing has changed since',
    },
  },
  labels: ['standby'],
  query: () => sql`
    select application_name as standby, max(pg_wal_lsn_diff(head, replay_lsn))::float8 as bytes,
      max(coalesce(extract(epoch from replay_lag), 0))::float8 as seconds
    from pg_stat_replication,
      lateral (select case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end as head) h
    where replay_lsn is not null group by application_name`,
}

/**
 * The number of standby databases. PostgreSQL removes a lost standby from its list, so only this number shows the loss.
 * If the database user may not see the states of standbys, the metric has no value.
 */
export const standbyCount: Measure = {
  gauges: { many: { name: 'usp_standbys', help: 'Standbys that follow the primary' } },
  labels: [],
  // Only a connection with a replay position counts as a standby. Connections for base backups and for log receivers
  // have no replay position.
  query: () => sql`select count(replay_lsn)::int as many from pg_stat_replication having count(*) = count(state)`,
}

export const synchronousStandbys: Measure = {
  gauges: {
    many: {
      name: 'usp_standbys_waited_for',
      help: 'Standbys that must store a change before it is acknowledged, from synchronous_standby_names',
    },
  },
  labels: [],
  // If the setting `synchronous_standby_names` lists names without a number, one standby must store each change.
  query: () => sql`
    select coalesce(substring(names from '^\\s*(?:[A-Za-z]+\\s*)?(\\d+)\\s*\\(')::int, (names <> '')::int) as many
    from current_setting('synchronous_standby_names') names`,
}

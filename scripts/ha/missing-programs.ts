import { execFileSync } from 'node:child_process'
import { newestPostgres } from './newest-postgres.ts'

/** The required programs that this machine lacks. */
export const missingPrograms = (): string[] => [
  ...['patroni', 'etcd', 'haproxy', 'pgbouncer', 'caddy'].filter((name) => {
    try {
      return !execFileSync('which', [name])
    } catch {
      return true
    }
  }),
  ...(newestPostgres() ? [] : ['postgresql']),
]

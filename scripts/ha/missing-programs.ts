import { execFileSync } from 'node:child_process'
import { newestPostgres } from './newest-postgres.ts'

/** Of what a set-up consists of, the programs that this machine lacks. */
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

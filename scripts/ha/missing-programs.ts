import { execFileSync } from 'node:child_process'
import { newestPostgres } from './newest-postgres.ts'

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

import { execFileSync } from 'node:child_process'

/** Of what a set-up consists of, the programs that this machine lacks. */
export const missingPrograms = (): string[] =>
  ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'caddy'].filter((name) => {
    try {
      return !execFileSync('which', [name])
    } catch {
      return true
    }
  })

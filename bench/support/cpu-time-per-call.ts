import type pg from 'pg'
import { cpuMsOf, postgresOf, serverPids } from './cpu-time.ts'

export interface CpuTime {
  server: number
  database: number
}

/**
 * Measures the CPU time of some work, divided by the number of calls. Counts the given servers, or else all servers.
 * Also returns the result of the work.
 */
export async function cpuTimePerCall<T>(db: pg.Client, count: number, work: () => Promise<T>, servers = serverPids()) {
  const { rows } = await db.query('select pg_backend_pid() as pid')
  const database = postgresOf(rows[0].pid)
  const now = (): CpuTime => ({ server: cpuMsOf(servers), database: cpuMsOf(database()) })
  const before = now()
  const done = await work()
  const after = now()
  const each = (what: keyof CpuTime) => (after[what] - before[what]) / count
  return { done, server: each('server'), database: each('database') }
}

import type pg from 'pg'
import { cpuMsOf, postgresOf, serverPids } from './cpu-time.ts'

/** What each of so many pieces of work took of the processors of a server, the nth that was started, and of the database. */
export async function spentOnEach(db: pg.Client, nth: number, count: number, work: () => Promise<unknown>) {
  const { rows } = await db.query('select pg_backend_pid() as pid')
  const database = postgresOf(rows[0].pid)
  const server = () => serverPids().slice(nth, nth + 1)
  const before = { server: cpuMsOf(server()), database: cpuMsOf(database()) }
  await work()
  const each = (now: number, then: number) => (now - then) / count
  return { server: each(cpuMsOf(server()), before.server), database: each(cpuMsOf(database()), before.database) }
}

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { ROLE } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { findPrograms } from '../../src/infra/db/embedded-postgres-programs.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'

/** Starts a PostgreSQL for one test, which may stop it. It starts again by itself. */
export async function ownPostgres(atEnd: (cleanUp: () => Promise<void>) => void) {
  const folder = join(tmpdir(), `usp-own-${randomUUID()}`)
  const { url, superuserUrl, stop: end } = await startEmbeddedPostgres(folder)
  atEnd(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })
  const home = join(folder, 'postgres')
  const { call } = await findPrograms(home)
  const asSuperuser = async (...texts: string[]) => {
    const client = new pg.Client(superuserUrl)
    client.on('error', () => {})
    await client.connect()
    let rows: { [column: string]: string }[] = []
    for (const text of texts) rows = (await client.query(text)).rows
    await client.end()
    return rows
  }
  // What is acknowledged has to outlive a crash of PostgreSQL, not of the machine.
  await asSuperuser('alter system set fsync = off', 'select pg_reload_conf()')
  await migrate(url)
  const startTime = async () => (await asSuperuser('select pg_postmaster_start_time()::text as time'))[0]?.time
  /**
   * Fails while the cluster is down, so it tries again. It does not wait for the end (-W), because pg_ctl takes the next
   * PostgreSQL, which starts at once, for the one that it stopped.
   */
  const stop = (mode: 'fast' | 'immediate') =>
    expect
      .poll(() => call('pg_ctl', 'stop', '-W', '-D', join(home, 'data'), '-m', mode).then(Boolean, () => false), {
        timeout: 120_000,
      })
      .toBe(true)
  const others = `from pg_stat_activity where usename = '${ROLE}' and pid <> pg_backend_pid()`
  return {
    url,
    superuserUrl,
    async limitConnections({ seconds, connections }: { seconds: number; connections: number }) {
      await asSuperuser(
        `alter role ${ROLE} connection limit ${connections}`,
        `select pg_terminate_backend(pid) ${others}`,
      )
      await pass(seconds * 1000)
      await asSuperuser(`alter role ${ROLE} connection limit -1`)
    },
    stop,
    /** Stops it and waits until the next one answers. */
    async restart(mode: 'fast' | 'immediate') {
      const before = await startTime()
      await stop(mode)
      const isNext = () =>
        startTime().then(
          (start) => start !== before,
          () => false,
        )
      await expect.poll(isNext, { timeout: 120_000 }).toBe(true)
    },
  }
}

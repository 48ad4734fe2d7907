import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { resealStored } from '../../src/cli/signing-keys-command.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { failureOf } from '../../src/infra/db/database-failures.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { startServers } from '../race/servers.ts'
import { freshDatabase } from '../support/database.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'
import { switchableProxy } from '../support/switchable-proxy.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

const POOLED = /a pooler, which passes no notifications on/g

/** What they do there is raced for in test/race. */
test.skipIf(missing)(
  `[DATABASE_DIRECT_URL behind a pooler] servers start all at once on an empty database, and hear where they are told how${missing}`,
  async () => {
    const url = await freshDatabase({ migrated: false })
    const pooled = await startPgbouncer(url)
    const servers = await startServers(pooled, 3)
    await expect.poll(() => servers.output().match(POOLED)?.length, { timeout: 30_000 }).toBe(3)
    await servers.stop()
    expect(servers.output()).not.toMatch(/prepared statement|"level":[56]0/)

    // Whatever they left behind in the pool does not keep the next from starting.
    const again = await startServers(pooled, 1, { DATABASE_DIRECT_URL: url })
    expect(await again.command('verify')).toMatchObject({ code: 0 })
    const db = openDatabase(url, 1, () => {})
    const listeners = async () => {
      const { rows } = await sql`
        select pid from pg_stat_activity
        where application_name = 'usp-server listener' and datname = current_database()`.execute(db)
      return rows.length
    }
    // Those of the servers before may still be about to end.
    await expect.poll(listeners, { timeout: 30_000 }).toBe(1)
    // Through the pooler it is seen of that connection alone that a server runs, which would go on with the former key.
    const config = readConfig({ USP_SECRET_KEY: 'n'.repeat(40), USP_SECRET_KEY_OLD: 'f'.repeat(40) })
    const throughPooler = openDatabase(pooled, 1, () => {})
    await expect(resealStored(throughPooler, config)).rejects.toThrow('A server is running on this database')
    await throughPooler.destroy()
    await again.stop()
    expect(again.output()).not.toMatch(POOLED)
    await db.destroy()
  },
)

test.skipIf(missing)(
  `[a primary is lost] behind a pooler that has none any more one asks for all, and they are told within two seconds${missing}`,
  async () => {
    const primary = await switchableProxy(await freshDatabase())
    await primary.comeBack()
    const pooler = await openUnresponsivePostgres(await startPgbouncer(primary.url))
    const db = openDatabase(pooler.url, 20, () => {})
    onTestFinished(() => db.destroy())
    const read = () => sql`select 1`.execute(db)
    const change = () => runUnitOfWork(db, (tx) => sql`select 1`.execute(tx))
    const told = (work: () => Promise<unknown>) => work().then(() => 'done', failureOf)
    await Promise.all(Array.from({ length: 20 }, read))
    primary.lose()
    while ((await told(read)) !== 'unreachable') await setTimeout(50)

    const before = pooler.tried()
    const triedInTime = setTimeout(4_000).then(() => pooler.tried() - before)
    const waits = Array.from({ length: 200 }, async (_, nth) => {
      await setTimeout(nth * 20)
      const begun = performance.now()
      expect(await told(nth % 2 ? read : change)).toBe('unreachable')
      return performance.now() - begun
    })
    expect(Math.max(...(await Promise.all(waits)))).toBeLessThan(2_000)
    // A quarter of a second passes from one search to the next, and the 200 calls begin within four seconds. If the
    // pooler refuses a search late, because the machine is busy, the database counts as found, and up to 20 calls connect.
    expect(await triedInTime).toBeLessThan(100)

    await primary.comeBack()
    await expect.poll(() => told(change), { timeout: 20_000 }).toBe('done')
  },
)

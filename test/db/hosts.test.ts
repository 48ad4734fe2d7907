import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type OpenDatabase, openDatabase, type Tx } from '../../src/infra/db/database.ts'
import { failureOf } from '../../src/infra/db/database-failures.ts'
import { allowLong } from '../../src/infra/db/prepared-statements.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort } from '../support/process.ts'
import { switchableProxy } from '../support/switchable-proxy.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

/** A connection string for the hosts of these, which are one database: a test lends it several ways. */
function overAll(demand: string, ...urls: string[]): string {
  const url = new URL(urls[0] ?? '')
  const { host } = url
  return url.href
    .replace(host, urls.map((one) => new URL(one).host).join(','))
    .concat(`?target_session_attrs=${demand}`)
}

function open(url: string, connections = 2): OpenDatabase {
  const db = openDatabase(url, connections, () => {})
  onTestFinished(() => db.destroy())
  return db
}

async function nobodyAt(url: string): Promise<string> {
  const nowhere = new URL(url)
  nowhere.port = String(await freePort())
  return nowhere.href
}

async function setReadOnly(url: string, isReadOnly: boolean) {
  const admin = new pg.Client(inject('superuser'))
  await admin.connect()
  await admin.query(
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  )
  await admin.end()
}

const where = async (db: OpenDatabase) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name

test('[the database is found among its hosts] one at which nobody is is passed over, by migrations too', async () => {
  const url = await freshDatabase({ migrated: false })
  const both = overAll('read-write', await nobodyAt(url), url)
  expect((await migrate(both)).length).toBeGreaterThan(0)
  await where(open(both))
})

test('[the database is found among its hosts] with all of them gone whoever asks is told within a second or two, and then it is found again', async () => {
  const url = await freshDatabase()
  const primary = await switchableProxy(url)
  const db = open(overAll('read-write', await nobodyAt(url), primary.url))
  const error = await where(db).catch((error: unknown) => error)
  expect(failureOf(error)).toBe('unreachable')
  await primary.comeBack()
  await expect.poll(() => where(db).catch(() => undefined)).toBeDefined()
})

test('[a standby is left] a host that takes no changes is not what is meant by read-write, and is found out again', async () => {
  const url = await freshDatabase()
  const db = open(`${url}?target_session_attrs=read-write`)
  await where(db)
  await setReadOnly(url, true)
  const change = () => sql`create table if not exists tried (one integer)`.execute(db)
  await change() // What is connected keeps what it was told at the start.
  await sql`set default_transaction_read_only = on`.execute(db)
  expect(failureOf(await change().catch((error: unknown) => error))).toBe('read only')
  // A new connection is to a database that is closed: nobody is lent that.
  expect(failureOf(await where(db).catch((error: unknown) => error))).toBe('read only')
  await setReadOnly(url, false)
  await expect.poll(() => change().then(() => 'done', failureOf)).toBe('done')
})

test('[a silent connection is given up] in seconds where others are answered or where nobody is, and a slow statement is not', async () => {
  const silence = await openUnresponsivePostgres(await freshDatabase())
  const db = open(silence.url)
  await where(db)
  silence.begin('those there are')
  const begun = performance.now()
  expect(failureOf(await where(db).catch((error: unknown) => error))).toBe('unreachable')
  expect((performance.now() - begun) / 1000).toBeLessThan(15)
  expect(await where(db)).toBeDefined()
  const { rows } = await sql`select pg_sleep(6)`.execute(db)
  expect(rows).toHaveLength(1)
})

test('[a silent connection is given up] a little after a statement may last, or a commit that waits for a standby, unless it was allowed to take longer', async () => {
  const db = open(await freshDatabase())
  const begun = performance.now()
  const sleeping = (allow: (tx: Tx) => Promise<unknown>) =>
    db
      .transaction()
      .execute(async (tx) => {
        await allow(tx)
        await sql`select pg_sleep(18)`.execute(tx)
      })
      .then(() => 'done', failureOf)
      .then((end) => [end, Math.round((performance.now() - begun) / 1_000)])
  const unlimited = sleeping((tx) => sql`set local statement_timeout = 0`.execute(tx))
  const allowed = sleeping((tx) => allowLong(tx, 'any time'))
  expect(await Promise.all([unlimited, allowed])).toEqual([
    ['unreachable', 16],
    ['done', 18],
  ])
})

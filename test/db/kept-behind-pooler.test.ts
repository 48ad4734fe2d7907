import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { PoolerStatements } from '../../src/infra/db/pooler-statements.ts'
import { executePrepared } from '../../src/infra/db/prepared.ts'
import { freshDatabase } from '../support/database.ts'
import { closeTogether, startDatabaseProxy } from '../support/database-proxy.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'

const TEXT = 'select count(*)::integer as count from bookings where id = any (array[]::text[])'
const pooled = async () => startPgbouncer(await freshDatabase())

function open(url: string, connections = 1) {
  const db = openDatabase(url, connections, () => {})
  onTestFinished(() => db.destroy())
  const ask = async (text = TEXT) => (await executePrepared(db, sql.raw(text))).rows
  /** How often it was carried out where it is kept: one client alone gets the same connection of the pooler each time. */
  const times = async () => {
    const { rows } = await sql<{ times: number }>`
      select (generic_plans + custom_plans)::integer as times from pg_prepared_statements where statement = ${TEXT}`.execute(
      db,
    )
    return rows.map(({ times }) => times)
  }
  const forget = () => sql`deallocate all`.execute(db)
  return { db, ask, times, forget }
}

/** On a connection of our own, with what is sent to it in `sent`. */
async function keeping(beforeEach: (nth: number, client: pg.Client) => Promise<unknown> = async () => {}) {
  const client = new pg.Client(await freshDatabase())
  await client.connect()
  onTestFinished(() => client.end())
  const sent: (string | undefined)[] = []
  const kept = new PoolerStatements(client, async (statement) => {
    sent.push(statement.name)
    await beforeEach(sent.length, client)
    return client.query(statement)
  })
  return { kept, sent, client }
}

test.skipIf(missing)(`[kept behind a pooler] a statement is planned once for all who ask${missing}`, async () => {
  const url = await pooled()
  const one = open(url)
  for (let turn = 0; turn < 3; turn++) expect(await one.ask()).toEqual([{ count: 0 }])
  expect(await one.times()).toEqual([3])
  // Another process finds what this one has left.
  const other = open(url)
  expect(await other.ask()).toEqual([{ count: 0 }])
  expect(await other.times()).toEqual([4])
})

test.skipIf(missing)(`[kept behind a pooler] what its connection has lost is given along again${missing}`, async () => {
  const { ask, times, forget } = open(await pooled())
  await ask()
  await forget()
  expect(await times()).toEqual([])
  expect(await ask()).toEqual([{ count: 0 }])
  expect(await times()).toEqual([1])
})

test.skipIf(missing)(`[kept behind a pooler] what is written is written once, missed or not${missing}`, async () => {
  const { db, ask, forget } = open(await pooled(), 10)
  await sql`create table written (row integer)`.execute(db)
  const write = () => ask('insert into written values (1) returning row')
  for (let turn = 0; turn < 4; turn++) {
    await Promise.all(Array.from({ length: 50 }, write))
    await forget()
  }
  expect(await ask('select count(*)::integer as count from written')).toEqual([{ count: 200 }])
})

test.skipIf(missing)(`[kept behind a pooler] a transaction does not end by what is missing${missing}`, async () => {
  const { db, ask, times } = open(await pooled())
  await db.transaction().execute(async (tx) => {
    expect((await executePrepared(tx, sql.raw(TEXT))).rows).toEqual([{ count: 0 }])
    await sql`create table written_after (row integer)`.execute(tx)
  })
  expect(await times()).toEqual([])
  await ask()
  expect(await times()).toEqual([1])
})

test('[kept behind a pooler] one that another has given along meanwhile is no error', async () => {
  const { kept, sent } = await keeping(async (nth, client) => {
    if (nth === 2) await client.query(`prepare kept_here as ${TEXT}`)
  })
  const { rows } = await kept.send({ name: 'kept_here', text: TEXT, values: [] })
  expect(rows).toEqual([{ count: 0 }])
  expect(sent).toEqual(['kept_here', 'kept_here', undefined])
})

test('[kept behind a pooler] what the database refuses is not asked again', async () => {
  const { kept, sent } = await keeping()
  const divide = (by: number) => kept.send({ name: 'by', text: 'select 1 / $1::integer as one', values: [by] })
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect(sent).toHaveLength(2)
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect(sent).toHaveLength(3)
  expect((await divide(1)).rows).toEqual([{ one: 1 }])
})

test('[kept behind a pooler] one that forgets is given each whole', async () => {
  const { kept, sent, client } = await keeping(async (nth, client) => {
    // The second of each two gives along what the first has missed.
    if (nth % 2) await client.query('deallocate all')
  })
  let turns = 0
  for (; kept.canSendByName && turns < 1_000; turns++) await kept.send({ name: 'kept_here', text: TEXT, values: [] })
  expect(turns).toBeLessThan(200)
  expect(sent).toHaveLength(2 * turns)
  await client.query('begin')
  expect(kept.canSendByName).toBe(false)
})

test('[kept behind a pooler] to one that has other names for what it keeps no name is given', async () => {
  const { db, ask, times } = open(await renaming(await freshDatabase()))
  for (let turn = 0; turn < 3; turn++) expect(await ask()).toEqual([{ count: 0 }])
  expect(await times()).toEqual([])
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual([expect.stringMatching(/^PGB_/)])
})

/** Whatever is to be kept has another name for the database, as PgBouncer 1.21 and newer give it; and the process that answers another number. */
const renaming = (url: string) =>
  startDatabaseProxy(url, (client, postgres) => {
    client.on('data', (bytes) =>
      postgres.write(Buffer.from(bytes.toString('latin1').replace(/kept_([\w-]+)\0/g, 'PGB__$1\0'), 'latin1')),
    )
    postgres.on('data', (bytes) => {
      const key = bytes.indexOf(BACKEND_KEY)
      if (key >= 0) bytes.writeInt32BE(1, key + BACKEND_KEY.length)
      client.write(bytes)
    })
    closeTogether(client, postgres)
  })

const BACKEND_KEY = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12])

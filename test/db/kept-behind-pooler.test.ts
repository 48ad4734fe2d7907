import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { handsNamesOn, type Kept, sendKept } from '../../src/db/kept-behind-pooler.ts'
import { executePrepared } from '../../src/db/prepared.ts'
import { freshDatabase } from '../support/database.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'

const TEXT = 'select count(*)::integer as count from bookings where id = any (array[]::text[])'
const pooled = async () => startPgbouncer(await freshDatabase())

function open(url: string, connections = 1) {
  const db = openDatabase(url, connections, () => {})
  onTestFinished(() => db.destroy())
  const ask = async (tx = db) => (await executePrepared(tx, sql<{ count: number }>`${sql.raw(TEXT)}`)).rows
  /** How often it was carried out where it is kept: one client alone gets the same connection of the pooler each time. */
  const times = async () => {
    const { rows } = await sql<{ times: number }>`
      select (generic_plans + custom_plans)::integer as times from pg_prepared_statements where statement = ${TEXT}`.execute(
      db,
    )
    return rows
  }
  return { db, ask, times }
}

async function connected(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test.skipIf(missing)(`[kept behind a pooler] a statement is planned once for all who ask${missing}`, async () => {
  const url = await pooled()
  const one = open(url)
  for (let turn = 0; turn < 3; turn++) expect(await one.ask()).toEqual([{ count: 0 }])
  expect(await one.times()).toEqual([{ times: 3 }])
  // Another process finds what this one has left, with the next connection of its own too.
  const other = open(url)
  expect(await other.ask()).toEqual([{ count: 0 }])
  expect(await other.times()).toEqual([{ times: 4 }])
})

test.skipIf(missing)(
  `[kept behind a pooler] what the pooler's connection has lost is given along again${missing}`,
  async () => {
    const { db, ask, times } = open(await pooled())
    await ask()
    await sql`deallocate all`.execute(db)
    expect(await times()).toEqual([])
    expect(await ask()).toEqual([{ count: 0 }])
    expect(await times()).toEqual([{ times: 1 }])
  },
)

test.skipIf(missing)(
  `[kept behind a pooler] many at once are answered, whichever connections they get${missing}`,
  async () => {
    const { ask } = open(await pooled(), 10)
    const all = await Promise.all(Array.from({ length: 200 }, () => ask()))
    expect(new Set(all.map((rows) => JSON.stringify(rows)))).toEqual(new Set(['[{"count":0}]']))
  },
)

test.skipIf(missing)(`[kept behind a pooler] a transaction does not end by what is missing${missing}`, async () => {
  const { db, ask, times } = open(await pooled())
  await db.transaction().execute(async (tx) => {
    const rows = await executePrepared(tx, sql`${sql.raw(TEXT)}`)
    expect(rows.rows).toEqual([{ count: 0 }])
    await sql`create table written_after (row integer)`.execute(tx)
  })
  expect(await times()).toEqual([])
  await ask()
  expect(await times()).toEqual([{ times: 1 }])
})

test('[kept behind a pooler] one that another has given along meanwhile is no error', async () => {
  const client = await connected(await freshDatabase())
  const kept: Kept = { name: 'kept_here', text: TEXT, values: [] }
  let asked = 0
  const { rows } = await sendKept(client, kept, async (statement) => {
    // It is the same connection, as the pooler's may be.
    if (++asked === 2) await client.query(`prepare kept_here as ${TEXT}`)
    return client.query(statement)
  })
  expect(rows).toEqual([{ count: 0 }])
  expect(asked).toBe(3)
})

test('[kept behind a pooler] what the database refuses is refused, once', async () => {
  const client = await connected(await freshDatabase())
  const kept: Kept = { name: 'kept_wrong', text: 'select 1 / $1::integer as one', values: [0] }
  const send = (statement: pg.QueryConfig) => client.query(statement)
  await expect(sendKept(client, kept, send)).rejects.toMatchObject({ code: '22012' })
  await expect(sendKept(client, kept, send)).rejects.toMatchObject({ code: '22012' })
  expect((await sendKept(client, { ...kept, values: [1] }, send)).rows).toEqual([{ one: 1 }])
})

test.skipIf(missing)(`[kept behind a pooler] it is known from one that hands names on${missing}`, async () => {
  const client = await connected(await pooled())
  const send = (statement: pg.QueryConfig) => client.query(statement)
  expect(await handsNamesOn(send)).toBe(true)
  const next = await connected(await pooled())
  expect(await handsNamesOn((statement) => next.query(statement))).toBe(true)
})

test('[kept behind a pooler] from one that has names of its own it is told', async () => {
  const client = await connected(await renaming(await freshDatabase()))
  expect(await handsNamesOn((statement) => client.query(statement))).toBe(false)
  // Whoever asks the same of the same connection is told that its name is taken, which is how it is known then.
  const direct = await connected(await freshDatabase())
  const ask = (statement: pg.QueryConfig) => direct.query(statement)
  expect(await handsNamesOn(ask)).toBe(true)
})

/** Whatever is to be kept has another name for the database, as PgBouncer 1.21 and newer give it. */
async function renaming(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const proxy = createServer((socket) => {
    const behind = connect(Number(port), hostname)
    const end = () => void [socket.destroy(), behind.destroy()]
    socket.on('error', end).on('close', end)
    behind.on('error', end).on('close', end)
    socket.on('data', (bytes) => {
      behind.write(Buffer.from(bytes.toString('latin1').replaceAll('kept_probe\0', 'PGBOUNCE_1\0'), 'latin1'))
    })
    behind.pipe(socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String((proxy.address() as AddressInfo).port) })
    .href
}

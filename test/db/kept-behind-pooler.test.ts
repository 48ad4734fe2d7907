import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { migrationFiles } from '../../src/infra/db/migration-files.ts'
import { executePrepared } from '../../src/infra/db/prepared-statements.ts'
import { freshDatabase } from '../support/database.ts'
import { closeTogether, startDatabaseProxy } from '../support/database-proxy.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'

const TEXT = 'select count(*)::integer as count from bookings where id = any (array[]::text[])'
const pooled = async () => startPgbouncer(await freshDatabase())

function open(url: string, connections = 1) {
  const db = openDatabase(url, connections, () => {})
  onTestFinished(() => db.destroy())
  const ask = async (text = TEXT) => (await executePrepared(db, sql.raw(text))).rows
  /** How the database has prepared it, and how often it was carried out. */
  const kept = async () => {
    const { rows } = await sql<{ name: string; statement: string; times: number }>`
      select name, statement, (generic_plans + custom_plans)::integer as times
      from pg_prepared_statements where starts_with(statement, ${TEXT})`.execute(db)
    return rows
  }
  return { db, ask, kept }
}

test.skipIf(missing)(`[kept behind a pooler] what is written is written once${missing}`, async () => {
  const { db, ask } = open(await pooled(), 10)
  await sql`create table written (row integer)`.execute(db)
  const write = () => ask('insert into written values (1) returning row')
  for (let turn = 0; turn < 4; turn++) await Promise.all(Array.from({ length: 50 }, write))
  expect(await ask('select count(*)::integer as count from written')).toEqual([{ count: 200 }])
})

test.skipIf(missing)(`[kept behind a pooler] a transaction does not end by what is missing${missing}`, async () => {
  const url = await pooled()
  const { db, ask } = open(url)
  await ask()
  await db.transaction().execute(async (tx) => {
    // Meanwhile another client gets another connection, and asks the same there.
    expect(await open(url).ask()).toEqual([{ count: 0 }])
    expect((await executePrepared(tx, sql.raw(TEXT))).rows).toEqual([{ count: 0 }])
    await sql`create table written_after (row integer)`.execute(tx)
  })
  expect(await ask('select count(*)::integer as count from written_after')).toEqual([{ count: 0 }])
})

test.skipIf(missing)(
  `[never another's statement behind a pooler] each of many who ask at once is answered what it asked${missing}`,
  async () => {
    const url = await pooled()
    const clients = [open(url, 5), open(url, 5), open(url, 5)]
    const numbers = Array.from({ length: 100 }, (_, nth) => nth)
    for (let turn = 0; turn < 3; turn++) {
      const answers = await Promise.all(
        numbers.map((n) => clients[(n + turn) % clients.length]?.ask(`select ${n}::integer as n, $$${turn}$$ as turn`)),
      )
      expect(answers).toEqual(numbers.map((n) => [{ n, turn: `${turn}` }]))
    }
  },
)

test('[kept behind a pooler] with one that prepares them itself, a statement is planned once', async () => {
  const { ask, kept } = open(await behindProxy('PGB_'))
  for (let turn = 0; turn < 3; turn++) expect(await ask()).toEqual([{ count: 0 }])
  // After a migration it has another text: a pooler would find the one of before for it, which PostgreSQL may refuse.
  const statement = `${TEXT} /* ${migrationFiles.at(-1)} */`
  expect(await kept()).toEqual([{ name: expect.stringMatching(/^PGB__/), statement, times: 3 }])
})

test('[kept behind a pooler] to one that does not, no name is given', async () => {
  const { ask, kept } = open(await behindProxy('kept'))
  for (let turn = 0; turn < 3; turn++) expect(await ask()).toEqual([{ count: 0 }])
  expect(await kept()).toEqual([])
})

/**
 * A pooler of one connection: the process that answers has another number, as behind every pooler. PgBouncer 1.21 and newer
 * gives a prepared statement another name, here one with another beginning of as many letters.
 */
const behindProxy = async (beginning: string) =>
  startDatabaseProxy(await freshDatabase(), (client, postgres) => {
    client.on('data', (bytes) =>
      postgres.write(Buffer.from(bytes.toString('latin1').replace(/kept(_[\w-]+)\0/g, `${beginning}$1\0`), 'latin1')),
    )
    postgres.on('data', (bytes) => {
      const key = bytes.indexOf(BACKEND_KEY)
      if (key >= 0) bytes.writeInt32BE(1, key + BACKEND_KEY.length)
      client.write(bytes)
    })
    closeTogether(client, postgres)
  })

const BACKEND_KEY = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12])

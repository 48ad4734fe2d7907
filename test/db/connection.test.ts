import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'

const LIMITS = { statement_timeout: '15s', lock_timeout: '5s', idle_in_transaction_session_timeout: '12s' }
const KEEPALIVE = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '2' }
const settings = (names: object) =>
  sql<Record<string, string>>`
    select ${sql.join(Object.keys(names).map((name) => sql`current_setting(${name}) as ${sql.ref(name)}`))}`

/** The code as another process has it, which knows of nothing that was asked before. */
async function newProcess(url: string) {
  vi.resetModules()
  const { openDatabase } = await import('../../src/infra/db/database.ts')
  const { executePrepared } = await import('../../src/infra/db/prepared-statements.ts')
  const db = openDatabase(url, 1, () => {})
  onTestFinished(() => db.destroy())
  return { db, ask: (text: string) => executePrepared(db, sql.raw(text)) }
}

test("[never another's statement behind a pooler] a statement has the same name in every process, whatever else each has asked", async () => {
  const url = await freshDatabase()
  const texts = ['select 1 as one', 'select 2 as two', 'select 3 as three']
  const named = async (asked: string[]) => {
    const { db, ask } = await newProcess(url)
    for (const text of asked) await ask(text)
    const { rows } = await sql<{ name: string; statement: string }>`
      select name, statement from pg_prepared_statements where statement = any (${texts}) order by statement`.execute(
      db,
    )
    return rows
  }
  const one = await named(texts)
  expect(one.map(({ statement }) => statement)).toEqual(texts)
  expect(new Set(one.map(({ name }) => name)).size).toBe(texts.length)
  expect(await named([...texts].reverse())).toEqual(one)
})

test('[a frozen server lets go] each connection has limits, and is looked after when its host is gone without a word', async () => {
  const { db } = await newProcess(await freshDatabase())
  const { rows } = await settings({ ...LIMITS, ...KEEPALIVE }).execute(db)
  expect(rows).toEqual([{ ...LIMITS, ...KEEPALIVE }])
})

test.skipIf(missing)(
  `[a frozen server lets go] behind a pooler each transaction has limits, and leaves none to others${missing}`,
  async () => {
    const { db } = await newProcess(await startPgbouncer(await freshDatabase()))
    const before = await settings(LIMITS).execute(db)
    expect(before.rows).not.toEqual([LIMITS])
    const within = await db.transaction().execute((tx) => settings(LIMITS).execute(tx))
    expect(within.rows).toEqual([LIMITS])
    expect((await settings(LIMITS).execute(db)).rows).toEqual(before.rows)
  },
)

test('a connection that ends in the middle of a transaction says why it ended', async () => {
  const { db } = await newProcess(await freshDatabase())
  const ended = db.transaction().execute((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx))
  await expect(ended).rejects.toMatchObject({ code: '57P01' })
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})

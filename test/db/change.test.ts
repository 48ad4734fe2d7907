import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connection } from '../../src/infra/db/connection.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import type { UnitOfWork } from '../../src/infra/db/unit-of-work.ts'
import { freshDatabase } from '../support/database.ts'

const db = openDatabase(await freshDatabase(), 3, () => {})
const at = new Date('2026-11-23T09:00:00Z')
const row = (subject: string) => ({
  actor: 'system',
  action: 'test',
  subject,
  at,
  from_status: null,
  to_status: null,
  detail: '{}',
})
const written = async (like: string) =>
  (await db.selectFrom('changes').select('subject').where('subject', 'like', like).orderBy('subject').execute()).map(
    ({ subject }) => subject,
  )
/** How often `like` stands in what the change sees of its own. */
const seen = async (tx: UnitOfWork, like: string) =>
  (await tx.selectFrom('changes').select('subject').where('subject', 'like', like).execute()).length

/** What goes to the database, in a word each. */
const sent: string[] = []
beforeEach(() => {
  const { executeQuery, begin, commit, rollback } = Connection.prototype
  vi.spyOn(Connection.prototype, 'executeQuery').mockImplementation(function (this: Connection, query) {
    sent.push(/insert|savepoint|rollback to|select/.exec(query.sql)?.[0] ?? query.sql)
    return executeQuery.call(this, query)
  })
  for (const [name, work] of Object.entries({ begin, commit, rollback }))
    vi.spyOn(Connection.prototype, name as 'begin').mockImplementation(function (this: Connection) {
      sent.push(name)
      return work.call(this)
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  sent.length = 0
})

const met = (name = 'pg_sleep_is_met') => ({ name, values: [], refusal: () => new Error('It is not met.') })
await sql`create function pg_sleep_is_met() returns boolean language sql as 'select true'`.execute(db)
await sql`create function is_not_met() returns boolean language sql as 'select false'`.execute(db)

test('[one unit of change] what it enters and demands is one statement, which needs no other to begin or end it', async () => {
  await runUnitOfWork(db, async (tx) => {
    tx.insert('changes', row('alone 1'))
    tx.insertAtCommit('changes', row('alone 2'))
    tx.require(met())
  })
  expect(sent).toEqual(['insert'])
  expect(await written('alone%')).toEqual(['alone 1', 'alone 2'])
})

test('[one unit of change] one that does nothing asks for no connection', async () => {
  expect(await runUnitOfWork(db, async () => 7)).toBe(7)
  expect(sent).toEqual([])
})

test('[nobody reads what is stale] what was entered is there for whatever is asked next, and what was noted at the end', async () => {
  await runUnitOfWork(db, async (tx) => {
    tx.insertAtCommit('changes', row('fresh 1'))
    expect(await seen(tx, 'fresh%')).toBe(0)
    tx.insert('changes', row('fresh 2'))
    expect(await seen(tx, 'fresh%')).toBe(2)
    tx.insertAtCommit('changes', row('fresh 3'))
  })
  expect(sent).toEqual(['begin', 'select', 'insert', 'select', 'insert', 'commit'])
  expect(await written('fresh%')).toHaveLength(3)
})

test.each<[string, (tx: UnitOfWork) => Promise<void>]>([
  ['at its end', async () => {}],
  ['before what is asked next', async (tx) => void (await seen(tx, '%'))],
])('[one unit of change] what is not met %s is told, and nothing of the change stays', async (_, then) => {
  const failing = runUnitOfWork(db, async (tx) => {
    tx.insert('changes', row('refused'))
    tx.require(met())
    tx.require(met('is_not_met'))
    await then(tx)
  })
  await expect(failing).rejects.toThrow('It is not met.')
  expect(await written('refused%')).toEqual([])
})

test('[one unit of change] work that fails leaves nothing, also of what it would have written later', async () => {
  await expect(
    runUnitOfWork(db, async (tx) => {
      tx.insertAtCommit('changes', row('failed 1'))
      await seen(tx, '%')
      tx.insert('changes', row('failed 2'))
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(sent).toEqual(['begin', 'select', 'rollback'])
  expect(await written('failed%')).toEqual([])
})

test('[one unit of change] of an attempt that fails nothing stays, and all that came before and after', async () => {
  await runUnitOfWork(db, async (tx) => {
    tx.insertAtCommit('changes', row('tried 1'))
    await expect(
      tx.attempt(async () => {
        await sql`insert into changes (actor, action, subject, at, detail) values ('a', 'b', 'tried 2', ${at}, '{}')`.execute(
          tx,
        )
        tx.insertAtCommit('changes', row('tried 3'))
        throw new Error('held up')
      }),
    ).rejects.toThrow('held up')
    expect(await tx.attempt(async () => tx.insertAtCommit('changes', row('tried 4')))).toBeUndefined()
    tx.insertAtCommit('changes', row('tried 5'))
  })
  expect(await written('tried%')).toEqual(['tried 1', 'tried 4', 'tried 5'])
})

test('[one unit of change] many rows are written in as many statements as it takes, all or none', async () => {
  const all = Array.from({ length: 45 }, (_, nth) => row(`many ${String(nth).padStart(2, '0')}`))
  await runUnitOfWork(db, async (tx) => {
    for (const one of all) tx.insert('changes', one)
  })
  expect(sent).toEqual(['begin', 'insert', 'insert', 'insert', 'commit'])
  expect(await written('many%')).toEqual(all.map(({ subject }) => subject))
})

test('[one unit of change] a connection that a failed change had is there for the next', async () => {
  const small = openDatabase(await freshDatabase(), 1, () => {})
  await expect(runUnitOfWork(small, (tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow('division by zero')
  expect(await runUnitOfWork(small, async (tx) => (await sql`select 1`.execute(tx)).rows.length)).toBe(1)
  await small.destroy()
})

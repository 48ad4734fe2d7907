import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { writeBackup } from '../../src/core/backup/write-backup.ts'
import { freshDatabase } from '../support/database.ts'

const url = await freshDatabase()
const other = new pg.Client(url)
await other.connect()
afterAll(() => other.end())
// More than what lies on the way between the database and us: it waits for us to read on.
await other.query('create table large as select md5(n::text) || md5((-n)::text) from generate_series(1, 300000) n')

const folder = mkdtempSync(join(tmpdir(), 'usp-broken-off-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ours = "application_name = 'usp-server backup' and datname = current_database()"

/** In the midst of the rows of a table. */
const inTheMidst = (then: () => void) => {
  let chunks = 0
  return ({ table }: { table: string }) => {
    if (table === 'large' && ++chunks === 3) then()
  }
}

test.each([
  [
    'us, as where the disk is full',
    () => {
      throw new Error('No room is left')
    },
  ],
  [
    'the database, which goes away',
    () => void other.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`),
  ],
])('[a backup that is broken off] by %s, fails, and leaves neither a file nor a connection', async (_, then) => {
  const tell = inTheMidst(then)
  await expect(
    writeBackup(url, join(folder, 'one'), { secretKey: '', passphrase: undefined, onProgress: tell }),
  ).rejects.toThrow()
  expect(readdirSync(folder)).toEqual([])
  const open = async () => (await other.query(`select from pg_stat_activity where ${ours}`)).rowCount
  await expect.poll(open, { timeout: 30_000 }).toBe(0)
})

import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openSecret } from '../../src/core/backup/encrypt-secret-key.ts'
import { type Tail, tailMac } from '../../src/core/backup/file-format.ts'
import { headOf } from '../../src/core/backup/read-backup.ts'
import { endAccess, restoreBackup } from '../../src/core/backup/restore-backup.ts'
import { writeBackup } from '../../src/core/backup/write-backup.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { livedIn } from '../desk/lived-in.ts'
import { freshDatabase } from '../support/database.ts'
import { restDesk } from '../support/desk.ts'
import { freePort } from '../support/process.ts'
import { SECRET } from '../support/server.ts'
import { fillEveryTable } from './rows-of-every-table.ts'

const { databaseUrl: lived, shop } = await livedIn()
const AWKWARD = 'tab\t, line\nand \\. alone, "quoted", \\N, ünï 🌍'
await addClient(shop.runtime.db, AWKWARD, new Date())
const { booking_id } = await shop.runtime.db.selectFrom('payments').select('booking_id').executeTakeFirstOrThrow()
await restDesk(shop).call('usp_business_bookings_refund', { booking_id, amount: 100 }, { as: shop.staff })
await fillEveryTable(lived)

const folder = mkdtempSync(join(tmpdir(), 'usp-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileIn = (name: string) => join(folder, name)
const secretKeys = [SECRET]
const PASSPHRASE = 'what only the owner knows'

const taken = fileIn('taken')
await writeBackup(lived, taken, { secretKey: SECRET, passphrase: PASSPHRASE })

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** All that is in the tables, and where the sequences stand. */
async function everythingIn(url: string): Promise<Record<string, unknown[]>> {
  const tables = await ask<{ name: string }>(
    url,
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const { name } of tables)
    found[name] = await ask(url, `select t::text from "${name}" t order by t::text collate "C"`)
  const sequences = `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`
  return { ...found, sequences: await ask(url, sequences) }
}

test('[everything in one file] no table of what is backed up is empty, so that each is compared', async () => {
  const { sequences, ...tables } = await everythingIn(lived)
  const empty = Object.entries(tables).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))
  // Give a new table a row in test/backup/rows-of-every-table.ts.
  expect(empty).toEqual([])
  expect(Object.keys(tables)).toContain('bookings')
  expect(sequences).not.toEqual([])
})

test('[everything in one file] what was backed up is in the restored database, row by row, and only its owner reads the file', async () => {
  expect(statSync(taken).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  const empty = await freshDatabase({ migrated: false })
  const told: number[] = []
  await restoreBackup(empty, taken, { secretKeys, onProgress: ({ part }) => told.push(part) })
  const before = await everythingIn(lived)
  expect(JSON.stringify(before)).toContain('🌍')
  expect(await everythingIn(empty)).toEqual(before)
  expect(told.every((part) => part > 0 && part <= 1)).toBe(true)
  // Rules hold there as they did: triggers are on again.
  await expect(ask(empty, 'update changes set actor = actor')).rejects.toThrow()
  const db = openDatabase(empty, 1, () => {})
  expect((await verify(db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
  await db.destroy()
})

test('[what a restore brings back] is everything but sessions, mailed links and codes, and permissions', async () => {
  const empty = await freshDatabase({ migrated: false })
  await restoreBackup(empty, taken, { secretKeys, atEnd: endAccess })
  const ended = {
    push_subscriptions: [],
    push_messages: [],
    staff_sessions: [],
    staff_links: [],
    sign_in_links: [],
    guest_codes: [],
    oauth_state: [],
  }
  expect(await everythingIn(empty)).toEqual({ ...(await everythingIn(lived)), ...ended })
})

test('[a backup is of one moment] what is written meanwhile is not in it, in no table', async () => {
  const [file, empty] = [fileIn('one moment'), await freshDatabase({ migrated: false })]
  const before = await everythingIn(lived)
  let late: Promise<unknown> | undefined
  // The first rows are told of when the moment is past, and most tables are still to come.
  const tell = () => (late ??= addClient(shop.runtime.db, 'Late', new Date()))
  await writeBackup(lived, file, { secretKey: SECRET, passphrase: undefined, onProgress: tell })
  await late
  await restoreBackup(empty, file, { secretKeys })
  expect({ ...(await everythingIn(empty)), sequences: [] }).toEqual({ ...before, sequences: [] })
})

test('[a database that is not there] is named, and that nothing was begun', async () => {
  const nowhere = `postgres://usp@127.0.0.1:${await freePort()}/usp`
  const told = /^No PostgreSQL answers at 127\.0\.0\.1:\d+\. Nothing was done/
  await expect(restoreBackup(nowhere, taken, { secretKeys })).rejects.toThrow(told)
})

test('[never over what is there] neither a database that has anything in it, nor a file', async () => {
  const other = await freshDatabase()
  await expect(restoreBackup(other, taken, { secretKeys })).rejects.toThrow('The database is not empty')
  const again = writeBackup(lived, taken, { secretKey: SECRET, passphrase: undefined })
  await expect(again).rejects.toThrow(`${taken} already exists. Name another file.`)
  const nowhere = writeBackup(lived, fileIn('no/such/folder'), { secretKey: SECRET, passphrase: undefined })
  await expect(nowhere).rejects.toThrow('cannot be written (ENOENT)')
})

test('[all or nothing] a file that was changed, cut off or is none is refused, and the database stays empty', async () => {
  const [packed, plain] = [readFileSync(taken), gunzipSync(readFileSync(taken))]
  const changed = Buffer.from(plain)
  changed.write('🌎', plain.indexOf('🌍'))
  const spoiled = {
    changed: gzipSync(changed),
    'cut off': packed.subarray(0, packed.length / 2),
    'cut before its sums': gzipSync(plain.subarray(0, plain.lastIndexOf('{"rows"'))),
    'no gzip': Buffer.from('select 1;'),
    'something else': gzipSync('{"format":"tar"}\0'),
    'a head without end': gzipSync(Buffer.alloc(2 ** 22, 'x')),
    nothing: Buffer.alloc(0),
  }
  const empty = await freshDatabase({ migrated: false })
  for (const [name, bytes] of Object.entries(spoiled)) {
    writeFileSync(fileIn(name), bytes)
    await expect(restoreBackup(empty, fileIn(name), { secretKeys }), name).rejects.toThrow(
      'is not a backup, or is damaged or incomplete',
    )
  }
  await expect(restoreBackup(empty, fileIn('missing'), { secretKeys })).rejects.toThrow('cannot be read (ENOENT)')
  expect(await ask(empty, `select from pg_tables where schemaname = 'public'`)).toEqual([])
})

test('[a backup of a newer version] is refused with the name of what is not known here', async () => {
  const plain = gunzipSync(readFileSync(taken)).toString('latin1')
  const newer = plain.replace('"name":"0002_trust.sql"', '"name":"9999_later.sql"')
  writeFileSync(fileIn('newer'), gzipSync(Buffer.from(newer, 'latin1')))
  const empty = await freshDatabase({ migrated: false })
  await expect(restoreBackup(empty, fileIn('newer'), { secretKeys })).rejects.toThrow('9999_later.sql')
})

test('[all or nothing] a backup whose migrations never ran so, or are others than its tables say, is refused', async () => {
  const [head = ''] = gunzipSync(readFileSync(taken)).toString('latin1').split('\0', 1)
  const made = (name: string, text: string) => {
    const bytes = Buffer.from(`${text}\0`, 'latin1')
    const sums = { rows: {}, sequences: {}, bytes: bytes.length, sha256: hash('sha256', bytes) }
    const tail = { ...sums, mac: tailMac(SECRET, sums) }
    writeFileSync(fileIn(name), gzipSync(Buffer.concat([bytes, Buffer.from(`${JSON.stringify(tail)}\0`)])))
    return fileIn(name)
  }
  const empty = await freshDatabase({ migrated: false })
  const swapped = head.replace('"0001_catalogue.sql"', '"0003_accounts.sql"')
  for (const text of [swapped, head.replace(/"migrations":\[.*?\]/, '"migrations":[]')])
    await expect(restoreBackup(empty, made('other order', text), { secretKeys })).rejects.toThrow(
      'No version runs the migrations of this backup in their order',
    )
  await expect(restoreBackup(empty, made('no tables', head), { secretKeys })).rejects.toThrow(
    'are not those in its tables',
  )
  expect(await ask(empty, `select from pg_tables where schemaname = 'public'`)).toEqual([])
})

/** Somebody who has the file, and not the secret key, changes a row and mends the sums. */
function forged(name: string, mac: (tail: Omit<Tail, 'mac'>, before: string | undefined) => string | undefined) {
  const plain = gunzipSync(readFileSync(taken))
  const from = plain.lastIndexOf('{"rows"')
  const changed = Buffer.from(plain.subarray(0, from))
  changed.write('🌎', changed.indexOf('🌍'))
  const { mac: before, ...tail }: Tail = JSON.parse(plain.subarray(from, -1).toString())
  const mended = { ...tail, sha256: hash('sha256', changed) }
  const sums = JSON.stringify({ ...mended, mac: mac(mended, before) })
  writeFileSync(fileIn(name), gzipSync(Buffer.concat([changed, Buffer.from(`${sums}\0`)])))
  return fileIn(name)
}

test.each([
  ['with the code of the original', forged('forged', (_, before) => before), 'was changed'],
  ['with a code by another key', forged('other key', (tail) => tailMac('y'.repeat(40), tail)), 'was changed'],
  ['without any', forged('no code', () => undefined), 'is not authenticated'],
])('[a forged backup] %s is refused, and the database stays empty', async (_, file, said) => {
  const empty = await freshDatabase({ migrated: false })
  await expect(restoreBackup(empty, file, { secretKeys })).rejects.toThrow(said)
  expect(await ask(empty, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  await restoreBackup(empty, file, { secretKeys: 'unchecked' })
  expect(JSON.stringify(await everythingIn(empty))).toContain('🌎')
})

test('[a backup of another key] is restored with that key among those that are known', async () => {
  const empty = await freshDatabase({ migrated: false })
  const another = 'x'.repeat(40)
  await expect(restoreBackup(empty, taken, { secretKeys: [another] })).rejects.toThrow('another secret key')
  await restoreBackup(empty, taken, { secretKeys: [another, SECRET] })
})

test('[the secret is sealed by the passphrase] and is in the file no other way', async () => {
  expect(gunzipSync(readFileSync(taken)).includes(SECRET)).toBe(false)
  const { secret = '' } = await headOf(taken)
  expect(await openSecret(secret, PASSPHRASE)).toBe(SECRET)
  await expect(openSecret(secret, `${PASSPHRASE}!`)).rejects.toThrow('is not the passphrase')
  const without = fileIn('without')
  await writeBackup(lived, without, { secretKey: SECRET, passphrase: undefined })
  expect((await headOf(without)).secret).toBeUndefined()
})

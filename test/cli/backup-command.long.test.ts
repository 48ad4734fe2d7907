import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { asRecord } from '../../src/infra/util/object-members.ts'
import { livedIn } from '../desk/lived-in.ts'
import { freshDatabase } from '../support/database.ts'
import { usp } from '../support/process.ts'
import { SECRET } from '../support/server.ts'

const { databaseUrl: DATABASE_URL, shop } = await livedIn()
const folder = join(tmpdir(), `usp-backup-${randomUUID()}`)
mkdirSync(folder, { mode: 0o711 }) // PostgreSQL runs as another user where root runs the tests.
afterAll(() => rmSync(folder, { recursive: true }))
const [taken, home] = [join(folder, 'taken'), join(folder, 'home')]
const USP_BACKUP_PASSPHRASE = 'what only the owner knows'

async function run(args: string[], env: NodeJS.ProcessEnv) {
  const running = usp(args, { USP_DATA_DIR: home, ...env })
  return { code: await running.ended, said: running.output() }
}

test('[from nothing but the file] the database and the secret are had again', async () => {
  const made = await run(['backup', taken], { DATABASE_URL, USP_SECRET_KEY: SECRET, USP_BACKUP_PASSPHRASE })
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining('sealed with USP_BACKUP_PASSPHRASE') })
  const lost = { USP_MODE: 'production', USP_BACKUP_PASSPHRASE }
  expect(await run(['restore', '--secret', taken], lost)).toEqual({ code: 0, said: `${SECRET}\n` })
  const restored = await run(['restore', taken], { USP_BACKUP_PASSPHRASE })
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringMatching(/is restored: \d+ bookings\.\nThe secret key was written to/),
  })
  expect(readFileSync(join(home, 'secret-key'), 'utf8')).toBe(`${SECRET}\n`)
  expect((await run(['verify'], {})).code).toBe(0)
  expect(await run(['restore', taken], {})).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') })
})

test('[a killed restore] leaves the database empty, and the next restore brings all of it', async () => {
  const url = await freshDatabase({ migrated: false })
  const env = { DATABASE_URL: url, USP_SECRET_KEY: SECRET }
  const watcher = new pg.Client(inject('superuser'))
  await watcher.connect()
  const isWriting = async () => {
    const { rows } = await watcher.query(
      "select from pg_stat_activity where datname = $1 and state <> 'idle' and backend_xid is not null",
      [new URL(url).pathname.slice(1)],
    )
    return rows.length > 0
  }
  for (let kill = 1; kill <= 3; kill++) {
    const running = usp(['restore', taken], { USP_DATA_DIR: home, ...env })
    await expect.poll(isWriting, { interval: 5, timeout: 20_000 }).toBe(true)
    running.process.kill('SIGKILL')
    await running.ended
    await expect.poll(isWriting).toBe(false)
  }
  await watcher.end()
  expect(await run(['restore', taken], env)).toMatchObject({ code: 0, said: expect.stringContaining('is restored') })
  expect((await run(['verify'], env)).code).toBe(0)
})

test('[what a restore brings back] sessions and links end, the staff are named, and people are erased again by a list', async () => {
  const { db } = shop.runtime
  const { people } = await db
    .selectFrom('bookings')
    .select('people')
    .where('search_text', '<>', '')
    .executeTakeFirstOrThrow()
  const email = String(asRecord(asRecord(people).buyer).email)
  await addStaff(db, 'Former Employee', 'manager', new Date())
  const [{ id } = { id: '' }] = await findStaff(db, 'Former Employee')
  await staffLinkMake(db, 'http://127.0.0.1:8080', id, new Date())
  const file = join(folder, 'before')
  const env = { DATABASE_URL, USP_SECRET_KEY: SECRET }
  expect((await run(['backup', file], env)).code).toBe(0)
  const list = join(folder, 'erased')
  const restore = async (text: string) => {
    writeFileSync(list, text)
    const url = await freshDatabase({ migrated: false })
    return { url, ...(await run(['restore', file, '--erase', list], { ...env, DATABASE_URL: url })) }
  }
  expect(await restore('not an address\n')).toMatchObject({ code: 1, said: expect.stringContaining('Line 1 of') })
  const { url, code, said } = await restore(`# since Monday\n${email} # asked for it\n\n+1 999 555 0100\nbkg_none\n`)
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/Former Employee \(manager\).*[1-9]\d* bookings of the people/s),
  ])
  const client = new pg.Client(url)
  await client.connect()
  const count = async (text: string) => (await client.query(text)).rowCount
  expect(
    await count('select from staff_links union all select from staff_sessions union all select from oauth_state'),
  ).toBe(0)
  expect(
    (await client.query('select from bookings where lower(people::text) like $1', [`%${email.toLowerCase()}%`]))
      .rowCount,
  ).toBe(0)
  expect(await count("select from changes where action = 'erase' and actor = 'operator'")).toBeGreaterThan(0)
  await client.end()
})

test('[no secret] nothing is restored that nobody can check, unless that is wanted', async () => {
  const env = { DATABASE_URL: await freshDatabase({ migrated: false }), USP_DATA_DIR: join(folder, 'nothing') }
  const refused = await run(['restore', taken], env)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('Without a secret key') })
  expect((await run(['restore', '--unchecked', taken], env)).code).toBe(0)
})

test('[another secret] is told of when a backup was restored beside it', async () => {
  const env = { DATABASE_URL: await freshDatabase({ migrated: false }), USP_SECRET_KEY: 'x'.repeat(40) }
  const refused = await run(['restore', taken], env)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('was made with another secret key') })
  const restored = await run(['restore', '--unchecked', taken], env)
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('is not that of the backup') })
})

test('[a backup that is ended] while it is written leaves nothing behind', async () => {
  const file = join(folder, 'ended')
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await client.query('begin; lock table bookings in access exclusive mode')
  const running = usp(['backup', file], { DATABASE_URL, USP_SECRET_KEY: SECRET, USP_DATA_DIR: home })
  const left = () => readdirSync(folder).filter((name) => name.startsWith('ended'))
  await expect.poll(left, { timeout: 10_000 }).toEqual([expect.stringContaining('.part-')])
  running.process.kill('SIGTERM')
  await running.ended
  await client.end()
  expect(left()).toEqual([])
})

const databases = async () => {
  const client = new pg.Client(inject('superuser'))
  await client.connect()
  const { rows } = await client.query("select from pg_database where datname like 'usp_check_%'")
  await client.end()
  return rows.length
}

test('[a backup is checked by restoring it] in a scratch database that is gone afterwards', async () => {
  const check = (file: string, env: NodeJS.ProcessEnv) => run(['backup', '--check', file], env)
  const sound = await check(taken, { DATABASE_URL: inject('superuser'), USP_BACKUP_PASSPHRASE })
  expect(sound).toMatchObject({ code: 0, said: expect.stringContaining('nothing booked twice, no money missing') })
  expect(sound.said).toContain('The secret key in the file authenticates the file and opens the keys in it.')
  const own = await check(taken, {})
  expect(own).toMatchObject({ code: 0, said: expect.stringContaining('Set USP_BACKUP_PASSPHRASE to check') })
  const may = await check(taken, { DATABASE_URL })
  expect(may).toMatchObject({ code: 1, said: expect.stringContaining('alter role NAME createdb') })

  await sql`delete from claims where resource_id = 'staff_ann'`.execute(shop.runtime.db)
  const faulty = join(folder, 'faulty')
  await run(['backup', faulty], { DATABASE_URL, USP_SECRET_KEY: SECRET })
  const found = await check(faulty, { DATABASE_URL: inject('superuser') })
  expect(found).toMatchObject({
    code: 1,
    said: expect.stringMatching(/its data has faults:\nbooking bkg_\S+ should claim staff_ann/),
  })
  expect(await databases()).toBe(0)
})

test.each([[['SIGTERM']], [['SIGHUP']], [['SIGINT', 'SIGINT']]] as [NodeJS.Signals[]][])(
  '[a check that is ended] by %j takes away what it has made',
  async (signals) => {
    const running = usp(['backup', '--check', taken], { DATABASE_URL: inject('superuser'), USP_BACKUP_PASSPHRASE })
    await expect.poll(databases, { timeout: 10_000 }).toBe(1)
    for (const signal of signals) running.process.kill(signal)
    expect(await running.ended).toBe(1)
    expect(running.output()).toContain('Stopped by a signal before the end. The unfinished result was removed.')
    expect(await databases()).toBe(0)
  },
)

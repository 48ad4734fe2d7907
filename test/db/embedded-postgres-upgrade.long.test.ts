import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { copyDatabase } from '../../src/core/backup/restore-backup.ts'
import { readOrCreateSecret } from '../../src/infra/config/data-folder.ts'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { freePort, initialise, SUPERUSER, start } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { findPrograms, findProgramsOf, storedProgramsFolder } from '../../src/infra/db/embedded-postgres-programs.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'

/** The oldest of those that are here; Debian and Ubuntu have one each. */
const OLD = ['15', '16', '17'].find((major) => existsSync(`/usr/lib/postgresql/${major}/bin/postgres`)) ?? '15'
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Stopped, as a server that brought an older PostgreSQL left it behind; with one business in it. */
async function folderOfOld(): Promise<{
  folder: string
  home: string
  startOld: () => Promise<() => Promise<unknown>>
}> {
  const folder = join(tmpdir(), `usp-upgrade-${randomUUID()}`)
  folders.push(folder)
  mkdirSync(folder, { mode: 0o711 })
  const [home, data] = [join(folder, 'postgres'), join(folder, 'postgres', 'data')]
  const { giveTo } = await findPrograms(home)
  const password = readOrCreateSecret(home, 'password', () => randomUUID())
  giveTo(join(home, 'password'))
  const call = await findProgramsOf(OLD, home, undefined)
  if (!call) throw new Error(`PostgreSQL ${OLD} is not here: apt-get install postgresql-${OLD}`)
  const stop = () => call('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
  const startOld = async () => {
    await start(call, data, join(home, 'log'), await freePort())
    return stop
  }
  await initialise(call, home, data)
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${await start(call, data, join(home, 'log'), await freePort())}/postgres`
  await migrate(url)
  await asked(url, "insert into last_backup values (true, '2026-11-20', 42)")
  // Without a clean end: what was committed stands in the log alone.
  await stop()
  return { folder, home, startOld }
}

async function asked(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(statement).finally(() => client.end())
  return rows
}

const bytesIn = async (folder: string, told: string[] = []) => {
  const { url, stop } = await startEmbeddedPostgres(folder, (what) => told.push(what), {
    oldPrograms: undefined,
    carryOver: copyDatabase,
  })
  try {
    return (await asked(url, 'select bytes from last_backup'))[0]?.bytes
  } finally {
    await stop()
  }
}

const majorOf = (home: string, data: string) => readFileSync(join(home, data, 'PG_VERSION'), 'utf8').trim()
const dataIn = (home: string) =>
  readdirSync(home)
    .filter((name) => name.startsWith('data'))
    .toSorted()

const isHere = existsSync(`/usr/lib/postgresql/${OLD}/bin/postgres`)

test.skipIf(!isHere)('a folder of an older PostgreSQL goes over to this one, and the old one is kept', async () => {
  const { folder, home } = await folderOfOld()
  const told: string[] = []
  expect(await bytesIn(folder, told)).toBe('42')
  expect(told).toEqual([
    expect.stringContaining(`PostgreSQL ${OLD} made`),
    expect.stringContaining(`data-${OLD}: remove it`),
  ])
  expect(dataIn(home)).toEqual(['data', `data-${OLD}`])
  expect(majorOf(home, `data-${OLD}`)).toBe(OLD)
  expect(await bytesIn(folder)).toBe('42')

  // Cut off between the two moves: the new one was whole, and takes its place.
  renameSync(join(home, 'data'), join(home, 'data-upgraded'))
  expect(await bytesIn(folder)).toBe('42')
  expect(dataIn(home)).toEqual(['data', `data-${OLD}`])
})

test.skipIf(!isHere)(
  'what fails on the way leaves the old one in its place, and so does a server that still uses it',
  async () => {
    const { folder, home, startOld } = await folderOfOld()
    const failing = { oldPrograms: undefined, carryOver: () => Promise.reject(new Error('the disk is full')) }
    await expect(startEmbeddedPostgres(folder, undefined, failing)).rejects.toThrow('the disk is full')
    expect(majorOf(home, 'data')).toBe(OLD)

    const stopOld = await startOld()
    const password = readOrCreateSecret(home, 'password', () => '')
    const port = readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[3]
    const user = new pg.Client(`postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`)
    user.on('error', () => {})
    await user.connect()
    await user.query('select pg_advisory_lock_shared(4715202)')
    await expect(bytesIn(folder)).rejects.toThrow('A server of the previous version still uses')
    await stopOld()
    expect(await bytesIn(folder)).toBe('42')
  },
)

test('the programs that a folder is worked with are kept beside it, whole', async () => {
  const folder = join(tmpdir(), `usp-upgrade-${randomUUID()}`)
  const [home, data] = [join(folder, 'postgres'), join(folder, 'postgres', 'data')]
  folders.push(folder)
  const { stop, superuserUrl } = await startEmbeddedPostgres(folder, undefined, {
    oldPrograms: undefined,
    carryOver: copyDatabase,
  })
  await migrate(superuserUrl)
  await stop()
  const { major } = await findPrograms(home)
  const kept = storedProgramsFolder(home, major)
  // Nothing else is there by the time that they are needed.
  const call = (await findProgramsOf(major, home, kept)) ?? expect.fail('they do not run')
  const port = await start(call, data, join(home, 'log'), await freePort())
  const url = Object.assign(new URL(superuserUrl), { port }).href
  expect(await asked(url, "select similarity('kept', 'kept') as same")).toEqual([{ same: 1 }])
  await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')
})

test.skipIf(!isHere)('a folder of an older PostgreSQL goes over by the programs that were kept beside it', async () => {
  const { folder, home } = await folderOfOld()
  const [bin, used] = [join(storedProgramsFolder(home, OLD), 'bin'), join(home, 'used')]
  mkdirSync(bin, { recursive: true })
  // Debian's find the rest of themselves by where they are.
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\necho ${name} >> ${used}\nexec /usr/lib/postgresql/${OLD}/bin/${name} "$@"\n`,
      { mode: 0o755 },
    )
  expect(await bytesIn(folder)).toBe('42')
  expect(readFileSync(used, 'utf8')).toContain('pg_ctl')
})

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folder() {
  const path = join(tmpdir(), `usp-embedded-${randomUUID()}`)
  folders.push(path)
  return path
}

async function asked(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

const RIGHTS = `
  select current_user as name, rolsuper, rolcreaterole, rolcreatedb, rolreplication,
    pg_has_role(current_user, 'pg_execute_server_program', 'member') as runs_programs
  from pg_roles where rolname = current_user`
const OTHERS = `
  select c.oid::regclass::text as name from pg_class c join pg_roles r on r.oid = c.relowner
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S') and r.rolname <> 'usp_server'
  union all
  select p.oid::regprocedure::text from pg_proc p join pg_roles r on r.oid = p.proowner
  where p.pronamespace = 'public'::regnamespace and r.rolname <> 'usp_server'
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`

test('[the server is no superuser of its own database] it owns what is in there, and can do nothing to the machine', async () => {
  const postgres = await startEmbeddedPostgres(folder())
  try {
    await migrate(postgres.url)
    expect(await asked(postgres.url, RIGHTS)).toEqual([
      {
        name: 'usp_server',
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        runs_programs: false,
      },
    ])
    expect(await asked(postgres.url, OTHERS)).toEqual([])
    await expect(asked(postgres.url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
    await expect(asked(postgres.url, "select pg_read_file('postgresql.conf')")).rejects.toThrow('permission denied')
  } finally {
    await postgres.stop()
  }
})

test('[the server is no superuser of its own database] a folder of an older version is brought along, with what is in it', async () => {
  const data = folder()
  const older = await startEmbeddedPostgres(data)
  // As it was made then: everything is the superuser's.
  await asked(older.url, 'select 1')
  await asked(older.superuserUrl, 'alter database postgres owner to usp', 'drop role usp_server')
  await migrate(older.superuserUrl)
  await asked(older.superuserUrl, "insert into housekeeping values ('kept', now())")
  await older.stop()

  const postgres = await startEmbeddedPostgres(data)
  try {
    expect(await asked(postgres.url, OTHERS)).toEqual([])
    expect(await asked(postgres.url, 'select job from housekeeping')).toEqual([{ job: 'kept' }])
    // What a migration may want to do.
    await asked(
      postgres.url,
      'alter table bookings add column added text',
      'create index added on bookings (added)',
      'drop function time_taken',
      'drop table claims',
    )
  } finally {
    await postgres.stop()
  }
})

test('[a command that ends] PostgreSQL that stops before the server has connected is started again', async () => {
  const data = folder()
  const first = await startEmbeddedPostgres(data)
  await first.stop()
  let starts = 0
  const postgres = await startEmbeddedPostgres(data, undefined, undefined, () => {
    if (starts++ === 0) stopWhenReady(join(data, 'postgres/data/postmaster.pid'))
  })
  try {
    expect([starts, await asked(postgres.url, 'select 1 as one')]).toEqual([2, [{ one: 1 }]])
  } finally {
    await postgres.stop()
  }
})

/** Blocks this process, like the loading of modules, until PostgreSQL is ready. Then stops PostgreSQL. */
function stopWhenReady(file: string) {
  const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  while (!lines()[7]?.startsWith('ready')) wait()
  wait()
  process.kill(Number(lines()[0]), 'SIGINT')
  while (existsSync(file)) wait()
}

test('[an embedded PostgreSQL that died is revived] a server goes on when its PostgreSQL was killed', async () => {
  const data = folder()
  const port = await freePort()
  const running = usp(['serve'], { PORT: String(port), USP_DATA_DIR: data })
  await waitForOutput(running, 'Ctrl-C stops it.')
  const file = join(data, 'postgres', 'data', 'postmaster.pid')
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  await waitForOutput(running, 'The embedded PostgreSQL ended unexpectedly; the server starts it again.')
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/readyz`)).status !== 200) await setTimeout(100)
  expect((await fetch(`${url}/usp/v1/services/svc_haircut`)).status).toBe(200)
  expect(Number(readFileSync(file, 'utf8').split('\n')[0])).not.toBe(postmaster)
  running.process.kill('SIGINT')
  expect(await running.ended).toBe(0)
  expect(running.output()).not.toMatch(/^\s+at /m)
})

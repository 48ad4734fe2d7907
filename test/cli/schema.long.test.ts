import { once } from 'node:events'
import { createServer } from 'node:net'
import pg from 'pg'
import { expect, test as sequential } from 'vitest'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { usp } from '../support/process.ts'
import { testServer } from '../support/server.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

/** Each has a database of its own, and mostly waits for a process. */
const test = sequential.concurrent

async function run(databaseUrl: string, ...args: string[]) {
  const running = usp(args, { DATABASE_URL: databaseUrl, USP_DATA_DIR: '/tmp' })
  return { code: await running.ended, output: running.output().trim() }
}

async function asked(databaseUrl: string, statement: string) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** All that would change the schema if it could: none of them is asked to do anything. */
const commands = [
  ['verify'],
  ['backup', '/tmp/never-written'],
  ['import', '/tmp/never-read.csv', '--yes'],
  ['export', '--buyer', 'somebody@example.com'],
  ['staff', 'list'],
  ['clients', 'list'],
  ['calendars', 'list'],
  ['keys', 'list'],
  ['events', 'list'],
  ['jobs', 'list'],
  ['mails', 'list'],
  ['listings', 'list'],
  ['mcp-stdio'],
  ['apply', 'examples/glamour-salon.yaml'],
]

test.each(commands)(
  '[the schema is changed by migrate and serve alone] %s changes none, and says what is the matter with it',
  async (...args) => {
    const url = await freshDatabase({ migrated: false })
    const tables = "select tablename from pg_tables where schemaname = 'public'"
    const empty = await run(url, ...args)
    expect(empty).toEqual({
      code: 1,
      output: 'This database has no schema yet. Restore a backup into it, start the server once, or run: usp migrate',
    })
    expect(await asked(url, tables)).toEqual([])
  },
)

test('[the schema is changed by migrate and serve alone] whatever command there is was looked at', async () => {
  const { output } = await run('', 'help')
  const names = [...output.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)
  // `health` asks the server, and no database; `restore` makes its own in an empty one alone.
  expect(names.sort()).toEqual([...commands.map(([name]) => name), 'health', 'migrate', 'restore', 'serve'].sort())
})

test('[the schema is changed by migrate and serve alone] a command of this version leaves an older schema as it is', async () => {
  const url = await freshDatabase()
  const [newest] = await asked(
    url,
    'delete from migrations where name = (select max(name) from migrations) returning name',
  )
  expect(await run(url, 'verify')).toEqual({
    code: 1,
    output: `This database has the schema of an older version (${newest.name} is missing). Run: usp migrate`,
  })
  expect(await asked(url, `select name from migrations where name = '${newest.name}'`)).toEqual([])
})

test('[the schema moved on] a server goes on with what a newer version added, and is not ready where that demands more', async () => {
  const databaseUrl = await freshDatabase()
  const server = await testServer(businessWith([service('svc_one')]), { databaseUrl })
  const ready = () => server.raw({ method: 'GET', url: '/readyz' })
  await asked(databaseUrl, "insert into migrations (name, sha256) values ('9998_expanded.sql', '')")
  expect((await ready()).status).toBe(200)
  expect(await Promise.all([run(databaseUrl, 'verify'), run(databaseUrl, 'migrate')])).toMatchObject([
    { code: 0 },
    { code: 0 },
  ])
  const more = [
    ['keys', 'reseal'],
    ['export', '--buyer', 'somebody@example.com'],
  ] as const
  for (const command of more)
    expect((await run(databaseUrl, ...command)).output).toBe(
      'This database has a migration that this version does not know (9998_expanded.sql), and its data would be left out. Run this with the newer version.',
    )
  await asked(
    databaseUrl,
    "insert into migrations (name, sha256, needs) values ('9999_contracted.sql', '', '9998_expanded.sql')",
  )
  const { status, body } = await ready()
  const why = 'This database was migrated by a newer version (9999_contracted.sql). Start that version instead.'
  expect([status, body.detail]).toEqual([503, why])
  const commands = [['verify'], ['migrate'], ['migrate', '--check']]
  expect(await Promise.all(commands.map((command) => run(databaseUrl, ...command)))).toEqual(
    commands.map(() => ({ code: 1, output: why })),
  )
})

test('[what a start would do] is told by migrate --check, and not done', async () => {
  const [empty, whole, behind] = [
    await freshDatabase({ migrated: false }),
    await freshDatabase(),
    await freshDatabase(),
  ]
  const [expands, contracts] = ['0023_ucp_checkouts.sql', '0024_one_charge_per_request.sql']
  await asked(behind, `delete from migrations where name >= '${expands}'`)
  const check = (url: string) => run(url, 'migrate', '--check')
  expect(await check(empty)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The database is empty: a start/),
  })
  expect(await asked(empty, "select from pg_tables where schemaname = 'public'")).toEqual([])
  expect((await check(whole)).output).toBe(
    'The database has all migrations of this version: a start would change nothing.',
  )
  expect((await check(behind)).output).toBe(
    `A start of this version would run, in this order:\n  ${expands}: servers of the previous version keep serving\n  ${contracts}: servers without ${expands} stop serving`,
  )
  expect(await asked(behind, `select from migrations where name >= '${expands}'`)).toEqual([])
  expect(await run(whole, 'migrate', '--chekc')).toEqual({
    code: 1,
    output: 'Usage: usp migrate [--check]',
  })
})

test('[a lock that was left behind] whoever migrates while another holds the lock gives up after a while, in a sentence', async () => {
  const url = await freshDatabase({ migrated: false })
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('select pg_advisory_lock(4715201)')
  await expect(migrate(url, 200)).rejects.toThrow(
    /^Another server is migrating this database and did not end in time\. .*pg_locks/,
  )
  await holder.query('select pg_advisory_unlock_all()')
  expect((await run(url, 'migrate')).code).toBe(0)
  const { rows } = await holder.query("select * from pg_locks where locktype = 'advisory' and objid = 4715201")
  expect(rows).toEqual([])
  await holder.end()
})

test('[a time-out at the start is told in a sentence] also on a database that says no more once it has let us in', async () => {
  const { url } = await openUnresponsivePostgres(await freshDatabase(), { after: 'the welcome' })
  const told = {
    code: 1,
    output: `No PostgreSQL answers at ${new URL(url).host}. Start it, or set DATABASE_URL.`,
  }
  const commands = ['verify', 'migrate', 'serve']
  expect(await Promise.all(commands.map((command) => run(url, command)))).toEqual(commands.map(() => told))
})

test.each([['verify'], ['migrate'], ['serve']])(
  '[a time-out at the start is told in a sentence] %s on a database that does not answer',
  async (command) => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await run(`postgres://u:secret@127.0.0.1:${port}/x`, command)).toEqual({
      code: 1,
      output: `No PostgreSQL answers at 127.0.0.1:${port}. Start it, or set DATABASE_URL.`,
    })
    mute.close()
  },
)

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { set } from '../../src/db/before-the-set.ts'
import { migrate } from '../../src/db/migrate.ts'
import { digest, files, LIST_OF_MIGRATIONS, needsOf, read, schemaFault } from '../../src/db/migrations.ts'
import { freshDatabase } from '../support/database.ts'

const row = (name: string, needs: string | null = null) => ({ name, needs })
const ran = files.map((name) => row(name))

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('[migrations] have numbers without holes', () => {
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1))
})

test('[migrations] that began it all are what ran on databases that are in use: nothing of them is edited, more is added', () => {
  expect(digest(set.map(read).join(''))).toBe('53481fc5b8e9e994e6124c448c56337bdcb3aa8c152ea874dae0206b37e322dd')
})

/** What takes from a server of before what it works with: it has to wait until no such server is left. */
const CONTRACTS =
  /\b(drop (table|column|function|view|sequence)|rename|alter column \w+ (type|set not null|drop default)|add (constraint|check|unique|primary|foreign))\b/i

function faultOf(text: string, before: readonly string[]): string | undefined {
  if (!/^-- (expand|contract: \S+)\n/.test(text)) return 'says neither that it expands nor what it needs'
  const needs = needsOf(text)
  if (needs !== null && !before.includes(needs)) return `needs ${needs}, which does not come before it`
  return needs === null && CONTRACTS.test(text) ? 'takes away, and says that it expands' : undefined
}

const said: [string, string | undefined][] = [
  ['-- expand\nalter table a add column b text;\n', undefined],
  ['-- contract: 0001_a.sql\nalter table a drop column b;\n', undefined],
  ['alter table a add column b text;\n', 'says neither that it expands nor what it needs'],
  ['-- expand: 0001_a.sql\nselect 1;\n', 'says neither that it expands nor what it needs'],
  ['-- contract: 0009_z.sql\nselect 1;\n', 'needs 0009_z.sql, which does not come before it'],
  ['-- expand\nalter table a drop column b;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a alter column b set not null;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a rename to b;\n', 'takes away, and says that it expands'],
]

test.each(said)('[migrations] say what they are to servers of before: %j', (text, fault) => {
  expect(faultOf(text, ['0001_a.sql'])).toBe(fault)
})

test('[migrations] all of them do', () => {
  // Those that began it all had nobody before them.
  const later = files.filter((name) => !set.includes(name))
  expect(later.filter((name) => faultOf(read(name), files.slice(0, files.indexOf(name))) !== undefined)).toEqual([])
})

test.each([
  ['what it knows', ran, undefined],
  ['more, which goes with it', [...ran, row('9998_more.sql')], undefined],
  ['less, which goes with those after', [...ran, row('9998_more.sql'), row('9999_less.sql', files.at(-1))], undefined],
  [
    'less than it works with',
    [...ran, row('9998_more.sql'), row('9999_less.sql', '9998_more.sql')],
    /newer.*9999_less/,
  ],
  ['nothing', [], /no schema yet/],
  ['too little', ran.slice(0, -1), /older version/],
])('[the schema moved on] a server on a database with %s', (_, there, fault) => {
  const said = schemaFault(there)
  if (fault === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(fault)
})

/** A database of the time before the migrations became one set. */
async function ofBefore(...names: string[]): Promise<string> {
  const url = await freshDatabase({ migrated: false })
  const client = await connected(url)
  await client.query(LIST_OF_MIGRATIONS)
  for (const name of set) await client.query(read(name))
  await client.query('alter table migrations drop column needs')
  for (const name of names)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, 'theirs'])
  return url
}

test('[before the set] a database of the last version of before is known as what it is', async () => {
  const url = await ofBefore('0001_catalogue.sql', '0002_trust.sql', '0086_near_and_soon.sql')
  expect(await migrate(url)).toEqual(files.slice(set.length))
  const { rows } = await (await connected(url)).query('select name, sha256, needs from migrations order by name')
  expect(rows).toEqual(files.map((name) => ({ name, sha256: digest(read(name)), needs: needsOf(read(name)) })))
  expect(await migrate(url)).toEqual([])
})

test('[before the set] an older one is told which version comes first, and stays as it is', async () => {
  const url = await ofBefore('0001_catalogue.sql', '0085_quicker_entries.sql')
  await expect(migrate(url)).rejects.toThrow('Check out the last commit that has migrations/0086_near_and_soon.sql')
  const { rows } = await (await connected(url)).query('select name from migrations order by name')
  expect(rows.map(({ name }) => name)).toEqual(['0001_catalogue.sql', '0085_quicker_entries.sql'])
})

test('[a migration keeps nobody waiting] while it waits for a lock, whoever comes after it passes within seconds', async () => {
  const url = await freshDatabase({ migrated: false })
  const [holder, other] = [await connected(url), await connected(url)]
  const take = 'begin; lock table migrations in share mode'
  await holder.query(LIST_OF_MIGRATIONS)
  await holder.query(take)
  const migrating = migrate(url)
  const waiting = "select from pg_locks where relation = 'migrations'::regclass and not granted"
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
  const began = performance.now()
  await other.query(take)
  expect(performance.now() - began).toBeLessThan(5_000)
  await other.query('commit')
  await holder.query('commit')
  expect(await migrating).toEqual(files)
})

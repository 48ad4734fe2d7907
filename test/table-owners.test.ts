import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { architecture, isIn } from './support/layers.ts'

const rows = /^## Tables$(.*?)^## /ms.exec(architecture)?.[1] ?? ''
const owners = new Map(
  [...rows.matchAll(/^\| `([\w/-]+)` \| (.*) \|$/gm)].flatMap(([, owner = '', tables = '']) =>
    [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']) => [table, owner] as const),
  ),
)
const schema = readFileSync('src/infra/db/schema.generated.ts', 'utf8')
const [, listed = ''] = /^export interface DB \{$(.*?)^\}/ms.exec(schema) ?? []
const tables = [...listed.matchAll(/^ {2}(\w+):/gm)].map(([, table = '']) => table)
/** Only functions of the database write these. A view is not written at all. */
const WRITTEN_IN_SQL = ['claim_journal', 'seat_journal', 'imported_bookings', 'strangers_live']

/** The tables that a source writes by Kysely or by SQL. */
function writtenBy(text: string): string[] {
  const byKysely = text.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g)
  const bySql = text.matchAll(/\b(?:insert into|update|delete from|merge into)\s+(\w+)\b/g)
  return [...byKysely, ...bySql].map(([, table = '']) => table).filter((table) => tables.includes(table))
}

/** Writes from another folder. Each is to move to the owner; a new one is a mistake. */
const EXCEPTIONS: Record<string, string[]> = {
  'core/events': ['feed_subscriptions'],
  'core/keys': ['push_key', 'push_subscriptions', 'replies'],
  'domain/accounts': ['bookings', 'oauth_state', 'waitlist_entries'],
  'domain/availability': ['business', 'services'],
  'domain/bookings': ['mails', 'scoped_credentials'],
  'domain/desk/bookings': ['stranded_bookings'],
  'domain/desk/people': ['events'],
  'domain/desk/waitlist': ['waitlist_entries'],
  'interfaces/oauth': ['oauth_state'],
}
const isException = (file: string, table: string) =>
  Object.entries(EXCEPTIONS).some(([folder, some]) => isIn(file, folder) && some.includes(table))

const writes = globSync('**/*.ts', { cwd: 'src' }).flatMap((file) =>
  [...new Set(writtenBy(readFileSync(`src/${file}`, 'utf8')))].map((table) => ({ file, table })),
)

test('ARCHITECTURE.md names the owner of each table', () => {
  expect([...owners.keys(), ...WRITTEN_IN_SQL].toSorted()).toEqual(tables.toSorted())
})

test('only the owner of a table writes it', () => {
  expect(writes.length).toBeGreaterThan(60)
  const foreign = writes.filter(({ file, table }) => !isIn(file, owners.get(table) ?? '') && !isException(file, table))
  expect(foreign.map(({ file, table }) => `${file} writes ${table}`)).toEqual([])
})

test('each exception is still needed', () => {
  const needed = (folder: string, table: string) =>
    writes.some(({ file, table: written }) => isIn(file, folder) && written === table)
  const all = Object.entries(EXCEPTIONS).flatMap(([folder, some]) => some.map((table) => [folder, table] as const))
  expect(all.filter(([folder, table]) => !needed(folder, table))).toEqual([])
})

import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  digest,
  LIST_OF_MIGRATIONS,
  markAsRun,
  migrationFiles,
  needsOf,
  readMigration,
  schemaFault,
} from '../../src/infra/db/migration-files.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { freshDatabase } from '../support/database.ts'

const row = (name: string, needs: string | null = null) => ({ name, needs })
const known = migrationFiles.map((name) => row(name))

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('[migrations] have numbers without holes', () => {
  expect(migrationFiles.map((name) => Number(name.slice(0, 4)))).toEqual(migrationFiles.map((_, index) => index + 1))
})

/** What a server ran on a database that is in use is never edited: whoever adds a migration adds its line. */
const ran = {
  '0001_catalogue.sql': 'c5e02436811ee6a7ae9ac2317bd92d38d40a793439f1672614b071389961cc2a',
  '0002_trust.sql': '37919c28933a9c3b2529d357441fcea0c76d9a14b57cc9d6c643ddd638d2f2f6',
  '0003_accounts.sql': 'cc54a9203261bb8f1ad74e4f5cb316a7d34224e2f2e968d2683e569b71be1ae8',
  '0004_ledger.sql': '517f4d67a85fb975a269c80634bd3a8b6d8a03b4b90952f0f9bdd93fd84db5ee',
  '0005_bookings.sql': '9b3bf63b80a00079a265aa39a7ec0d854c325a797451dd77bd12e42ff0add6cf',
  '0006_waitlist.sql': '6303084229f48c46c54441158ddcea68d50ee2ac2508130c373ccf0fc90807b7',
  '0007_taking_time.sql': '8d150aeba98c3239df709f02fa7d26c2412f855d2713e9d2eeb30f2b950f242c',
  '0008_limits.sql': 'c2760aa4c502f76ff24a7189b9e5e540e65f3eff5de46c9e9d23a6d291acf2b0',
  '0009_events.sql': '3bff3f50e04463d519648a1efb5c118319cff3eea48d1163ef925e2bc798e4a0',
  '0010_mails.sql': '1f4a9d1823af76192d54c2e7bd224c9be5b1458f05fb13efa31aa7b4f231862b',
  '0011_payments.sql': '244755ffd29306d80054e70e47fb4cc0d56bbe1eeb69778ff45c577e32a98ef3',
  '0012_desk.sql': '5ca4c64a94e111c28ef067a59c8acd8e62f28b2bc039fa3ed12a4d56b3fb7390',
  '0013_registry.sql': '4d1f422cb079cdb060799eae29530a415e433a89ea7f498d01f9182a8375f2df',
  '0014_housekeeping.sql': '9650379ae0d50f0eb27aa303552f5db687a3d87a4257ed8b20362885c3d1eedd',
  '0015_trace_of_mails.sql': '4ee1461281cbeffa80cba87ba0779fb35ea211c31278a0f26867586bdefc50ea',
  '0016_replaceable_events.sql': '2b4cb90c7dc38a7002cea46c65ee6fe4579c1a50b116cdce3be91098a8554c01',
  '0017_late_release.sql': '67550785102adb57f65acf34eb6fe893752a38738a657ae2ffdc230299907e54',
  '0018_oldest_waiting.sql': 'f08f924d7f47b13688b72f713db972289105654d2b0d8da6b59de7c7060f0285',
  '0019_sync_of_sessions.sql': 'fd00788da08bced953422d070f70afc4e693f40e5c0e36e92fdeeb9641520160',
  '0020_offered_holds_and_former_keys.sql': '2f6efaa63426e886afbd3ce880c0fbbf31705eb3e374a1a9e75993199c773bbb',
  '0021_people_in_replies.sql': 'ee006d9faf89916e8bb20b6f8246b907be1b910efdb79960414c586798fe3d81',
  '0022_ranking_by_free_starts.sql': '40c37db0b0cef113c0b1fd0aaffd061c33c8b7d3556e95ff6bdd84b4e857d15a',
  '0023_ucp_checkouts.sql': '8cd839e5497a25c76a656df789c6d2f2cbb3208ac8d575968be553488be4d2dd',
  '0024_one_charge_per_request.sql': '1fb5b1d39b83bef1b66e7a96949334687c6701b59c81399f0be99bca0a35cf9f',
  '0025_mail_server.sql': '92050657f9f0c2243744dbacd20d129748916e4e630a2fda0cefed055db06119',
  '0026_charges_returned_by_hand.sql': 'e400e0294dffefb60eca9eda1e8507bc3b1de577e719a3b4476b83bf1869c18b',
  '0027_pictures.sql': 'c38f7632b2fba3e55f18f13e98b53c19e4439347febb032811369ba8d0995a36',
  '0028_push_notifications.sql': 'a337e57d973bb1246b3de1bd7b98b1e25ca2e57a05ff33e2c555ce1e6b2fe13d',
  '0029_calendars_elsewhere.sql': 'c2dd7eec65b30557faaee32235529f8ed0327dd8adfa5d5b85a3198caa81f87a',
  '0030_text_messages.sql': '465a98a1dbbcbe5714bcac753b1b8784076db938d10a8fce88867e5bb01e2b61',
  '0031_calendar_conflicts.sql': 'cfa8d4e8bacf048a1dfad3efea45ca2475f40d80c27597dade1ee5b2001f971c',
  '0032_company_sign_in.sql': 'dd7b861a13ee76879c59ae3deea8f29b0f13562310dd2e888d0a33232e7ce74b',
  '0033_caldav_accounts.sql': 'c14d51a5c485bbcd88da43fba82a86593a1405a57527fe32fe30c43fcc9e2b1c',
  '0034_busy_classes.sql': '845d6bc2a6bfccddccff32c022861733e616dc881baef93bada291f2d3758a22',
  '0035_calendar_apps.sql': '1a468a9eaa6417dd391f7705e6e3f12f67d49de7283946a1a1846ddf28eee6b9',
  '0036_bookings_in_calendars.sql': '524b1885739280eb3f2664b259161c8161cec42c85cd9cffcb3d161f4b88e31f',
  '0037_ended_calendars.sql': '95d57544e1a907b3be4a00ca844a678a9702869402ad5d16443b25383e0b7b3d',
  '0038_partial_calendar_times.sql': '2a91e23c8ee6abb99ad3cf0293f294adcc984f945bb55c584f3cfd04e74bb3f3',
}

test('[migrations] are what ran on databases that are in use: nothing of them is edited, more is added', () => {
  expect(Object.fromEntries(migrationFiles.map((name) => [name, digest(readMigration(name))]))).toEqual(ran)
})

/** What takes from a server of before what it works with: it has to wait until no such server is left. */
const CONTRACTS = [
  /\b(drop (table|column|function|view|sequence|trigger|constraint|index)|rename|alter column \w+ (type|set not null|drop default))\b/i,
  /\b(add (constraint|check|unique|primary|foreign)|create unique index|create (constraint )?trigger|create or replace function)\b/i,
  // They write without it.
  /\badd column (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i,
]

function faultOf(text: string, before: readonly string[]): string | undefined {
  if (!/^-- (expand|contract: \S+)\n/.test(text)) return 'says neither that it expands nor what it needs'
  const needs = needsOf(text)
  if (needs !== null && !before.includes(needs)) return `needs ${needs}, which does not come before it`
  return needs === null && CONTRACTS.some((one) => one.test(text)) ? 'takes away, and says that it expands' : undefined
}

test('[migrations] take as long as they take, also of a user whose statements are cut short', async () => {
  const url = await freshDatabase({ migrated: false })
  const { pathname } = new URL(url)
  const superuser = await connected(Object.assign(new URL(inject('superuser')), { pathname }).href)
  await superuser.query(`alter database "${pathname.slice(1)}" set statement_timeout = '1s';
    create function slow() returns event_trigger language plpgsql as 'begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = ''public.claims'') then perform pg_sleep(1.2); end if; end';
    create event trigger slow on ddl_command_end when tag in ('CREATE TABLE') execute function slow()`)
  expect(await migrate(url, 500)).toEqual(migrationFiles)
})

const said: [string, string | undefined][] = [
  ['-- expand\nalter table a add column b text;\n', undefined],
  ['-- contract: 0001_a.sql\nalter table a drop column b;\n', undefined],
  ['alter table a add column b text;\n', 'says neither that it expands nor what it needs'],
  ['-- expand: 0001_a.sql\nselect 1;\n', 'says neither that it expands nor what it needs'],
  ['-- contract: 0009_z.sql\nselect 1;\n', 'needs 0009_z.sql, which does not come before it'],
  ['-- expand\nalter table a drop column b;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a alter column b set not null;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a rename to b;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a add column b text not null;\n', 'takes away, and says that it expands'],
  ['-- expand\nalter table a add column b text not null default 0, add column c text;\n', undefined],
  ['-- expand\nalter table a add column b text, add column c int not null;\n', 'takes away, and says that it expands'],
  ['-- expand\ndrop index a_b;\n', 'takes away, and says that it expands'],
  ['-- expand\ncreate unique index on a (b);\n', 'takes away, and says that it expands'],
  ['-- expand\ncreate trigger a before insert on b execute function c();\n', 'takes away, and says that it expands'],
  ['-- expand\ncreate or replace function a() returns int return 1;\n', 'takes away, and says that it expands'],
]

test.each(said)('[migrations] say what they are to servers of before: %j', (text, fault) => {
  expect(faultOf(text, ['0001_a.sql'])).toBe(fault)
})

test('[migrations] all of them do', () => {
  // The first fourteen made the schema: no server ran before them.
  const later = migrationFiles.filter((name) => name > '0015')
  expect(
    later.filter(
      (name) => faultOf(readMigration(name), migrationFiles.slice(0, migrationFiles.indexOf(name))) !== undefined,
    ),
  ).toEqual([])
})

test.each([
  ['what it knows', known, undefined],
  ['more, which goes with it', [...known, row('9998_more.sql')], undefined],
  [
    'less, which goes with those after',
    [...known, row('9998_more.sql'), row('9999_less.sql', migrationFiles.at(-1))],
    undefined,
  ],
  [
    'less than it works with',
    [...known, row('9998_more.sql'), row('9999_less.sql', '9998_more.sql')],
    /newer.*9999_less/,
  ],
  ['nothing', [], /no schema yet/],
  ['too little', known.slice(0, -1), /older version/],
])('[the schema moved on] a server on a database with %s', (_, there, fault) => {
  const said = schemaFault(there)
  if (fault === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(fault)
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
  expect(await migrating).toEqual(migrationFiles)
})

test('[migrations] 0024 keeps the idempotency key of the latest charge with it, and removes it from older charges', async () => {
  const url = await freshDatabase({ migrated: false })
  const client = await connected(url)
  await client.query(LIST_OF_MIGRATIONS)
  for (const name of migrationFiles.filter((name) => name < '0024')) {
    await client.query(readMigration(name))
    await markAsRun(client, name)
  }
  await client.query(`
    insert into ucp_checkouts (id, booking_id, order_id, principal, profile, told_apart, status, service_id, owns_hold, request, agreed,
      faults, created_at, updated_at, expires_at)
    values ('chk_1', 'bkg_1', 'ord_1', 'a', 'p', false, 'open', 'svc_1', true, '{}', '{}', '[]', now(), now(), now());
    insert into ucp_charges (id, checkout_id, order_id, booking_id, provider, amount, currency, status, actor, request_key,
      request_digest, created_at, updated_at, next_at)
    select id, 'chk_1', 'ord_1', 'bkg_1', 'stripe', 100, 'USD', 'failed', actor, key, '', now() - age * interval '1 day', now(), now()
    from (values ('older', 'a', 'k', 2), ('latest', 'a', 'k', 1), ('other caller', 'b', 'k', 3), ('no key', 'a', null, 4),
      ('no key either', 'a', null, 5)) charges (id, actor, key, age)`)
  expect(await migrate(url)).toEqual(migrationFiles.filter((name) => name >= '0024'))
  const { rows } = await client.query('select id, request_key from ucp_charges order by created_at desc')
  expect(rows).toEqual([
    { id: 'latest', request_key: 'k' },
    { id: 'older', request_key: null },
    { id: 'other caller', request_key: 'k' },
    { id: 'no key', request_key: null },
    { id: 'no key either', request_key: null },
  ])
})

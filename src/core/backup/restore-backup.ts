import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { LIST_OF_MIGRATIONS, migrationFiles, readMigration, refuseChanged } from '../../infra/db/migration-files.ts'
import { migrate } from '../../infra/db/run-migrations.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { copyClause, type Head, refuseForged, type Tail } from './file-format.ts'
import { isEmpty, tablesOf } from './list-database-tables.ts'
import { withClient } from './open-backup-connection.ts'
import { headOf, partsOf, tailOf } from './read-backup.ts'
import type { ReportProgress } from './report-progress.ts'
import { writeBackup } from './write-backup.ts'

interface RestoreOptions {
  /**
   * The secret keys of servers that may have written the backup. With the value `unchecked`, the restore accepts a
   * backup from any server.
   */
  secretKeys: readonly string[] | 'unchecked'
  onProgress?: ReportProgress
  atEnd?: (client: pg.Client) => Promise<void>
}

/**
 * Restores a backup into an empty database in one transaction. Afterwards, runs the database migrations that are newer
 * than the backup.
 */
export async function restoreBackup(
  databaseUrl: string,
  file: string,
  { secretKeys, onProgress = () => {}, atEnd = async () => {} }: RestoreOptions,
): Promise<Tail> {
  const head = await headOf(file)
  const migrations = migrationsOf(head)
  const tail = await tailOf(file)
  if (secretKeys !== 'unchecked') refuseForged(file, tail, secretKeys)
  await withClient(databaseUrl, async (client) => {
    await client.query('begin')
    await client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '60s'")
    if (!(await isEmpty(client)))
      throw new PlainError(
        'The database is not empty, and a restore overwrites nothing. Set DATABASE_URL to an empty database.',
      )
    await makeSchema(client, migrations)
    await load(client, file, { tail, onProgress })
    await refuseOtherHistory(client, head)
    await atEnd(client)
    await client.query('analyze')
    await client.query('commit')
  })
  await migrate(databaseUrl)
  return tail
}

function migrationsOf({ migrations }: Head): readonly string[] {
  const names = migrations.map(({ name }) => name)
  const unknown = names.find((name) => !migrationFiles.includes(name))
  if (unknown !== undefined)
    throw new PlainError(
      `A version with the migration ${unknown}, which this version does not have, made this backup. Restore it with that version.`,
    )
  if (names.length === 0 || names.some((name, index) => migrationFiles[index] !== name))
    throw new PlainError('No version runs the migrations of this backup in their order. Nothing was restored.')
  refuseChanged(migrations)
  return names
}

/**
 * Creates the database schema of the time of the backup, by running the migrations of that time. Some migrations insert
 * rows. The function `load` later replaces these rows by the rows of the backup.
 */
async function makeSchema(client: pg.Client, migrations: readonly string[]) {
  await client.query(LIST_OF_MIGRATIONS)
  for (const name of migrations) await client.query(readMigration(name))
}

/**
 * Throws an error if the table `migrations` in the backup differs from the list of migrations at the start of the file.
 * The server uses this table at its next start to decide which migrations to run.
 */
async function refuseOtherHistory(client: pg.Client, { migrations }: Head) {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  if (rows.map(({ name }) => name).join() !== migrations.map(({ name }) => name).join())
    throw new PlainError('The migrations that this backup names are not those in its tables. Nothing was restored.')
}

async function load(client: pg.Client, file: string, { tail, onProgress }: { tail: Tail; onProgress: ReportProgress }) {
  const known = new Map((await tablesOf(client)).map((section) => [section.table, section]))
  const names = [...known.keys()].map((name) => `public."${name}"`)
  await client.query(`truncate ${names.join(', ')}`)
  // The restore disables database triggers, because the rows of the backup already contain the effects of the triggers.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  let bytes = 0
  for await (const part of partsOf(file)) {
    if (!('rows' in part)) continue
    const { table, columns } = part.section
    if (String(known.get(table)?.columns) !== String(columns))
      throw new PlainError(`${file} has a table ${table} that its migrations do not create. Nothing was restored.`)
    const counted = async function* () {
      for await (const chunk of part.rows) {
        bytes += chunk.length
        onProgress({ table, part: bytes / tail.bytes, bytes })
        yield chunk
      }
    }
    await pipeline(
      Readable.from(counted(), { objectMode: false }),
      client.query(copyFrom(`${copyClause(part.section)} from stdin`)),
    )
  }
  for (const [name, last] of Object.entries(tail.sequences))
    await client.query('select setval($1::regclass, $2)', [`public."${name}"`, last])
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
}

/**
 * Copies a database into an empty database, which can have another version of PostgreSQL. `file` is the path of a
 * temporary file, which the function deletes at the end.
 */
export async function copyDatabase(from: string, to: string, file: string): Promise<void> {
  await rm(file, { force: true })
  try {
    // A restore needs a secret key to authenticate the backup. An empty key is enough here, because the backup is only
    // a temporary file on this machine.
    await writeBackup(from, file, { secretKey: '', passphrase: undefined })
    await restoreBackup(to, file, { secretKeys: [''] })
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Deletes all browser sessions, mailed sign-in links and permissions of platforms and assistants from the restored
 * database. Otherwise, the restore would bring back access that a person revoked after the backup was written.
 */
export async function endAccess(client: pg.Client): Promise<void> {
  for (const table of ['staff_sessions', 'staff_links', 'sign_in_links', 'guest_codes', 'oauth_state'])
    await client.query(`delete from ${table}`)
}

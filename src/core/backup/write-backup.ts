import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '../../infra/db/database.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { sealSecret } from './encrypt-secret-key.ts'
import { copyClause, encodedPart, FORMAT, type Head, NUL, tailMac } from './file-format.ts'
import { sequencesOf, tablesOf } from './list-database-tables.ts'
import { withClient } from './open-backup-connection.ts'
import type { ReportProgress } from './report-progress.ts'

export interface BackupOptions {
  /**
   * The secret key of the server. With this key, a restore can check who wrote the backup, and decrypt the secrets in
   * it. If a passphrase is set, the backup also contains this key, encrypted with the passphrase.
   */
  secretKey: string
  passphrase: string | undefined
  onProgress?: ReportProgress
}

/**
 * Writes a consistent snapshot of the database to a file, while the servers continue to work. The file gets its final
 * name only after the backup is complete.
 */
export async function writeBackup(databaseUrl: string, file: string, options: BackupOptions): Promise<void> {
  if (existsSync(file)) throw new PlainError(`${file} already exists. Name another file.`)
  const unfinished = `${file}.part-${process.pid}`
  const remove = () => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  try {
    await withClient(databaseUrl, async (client) => {
      await client.query('begin isolation level repeatable read read only')
      await client.query('set local statement_timeout = 0')
      const to = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
      await pipeline(Readable.from(contents(client, options), { objectMode: false }), createGzip(), to)
      await client.query('commit')
    })
    await syncToDisk(unfinished)
    await rename(unfinished, file)
    await syncToDisk(dirname(file))
  } catch (error) {
    throw explained(error, file)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

async function* contents(client: pg.Client, { secretKey, passphrase, onProgress = () => {} }: BackupOptions) {
  const [sha256, rows] = [createHash('sha256'), new Map<string, number>()]
  let bytes = 0
  const entered = (chunk: Buffer) => {
    sha256.update(chunk)
    bytes += chunk.length
    return chunk
  }
  yield entered(encodedPart(await headOf(client, secretKey, passphrase)))
  const tables = await tablesOf(client)
  for (const [index, section] of tables.entries()) {
    yield entered(encodedPart(section))
    const copy = client.query(copyTo(`${copyClause(section)} to stdout`))
    for await (const chunk of copy) {
      yield entered(chunk)
      onProgress({ table: section.table, part: index / tables.length, bytes })
    }
    rows.set(section.table, copy.rowCount)
    yield entered(NUL)
  }
  // Sequence values can grow during the backup. The backup reads the sequences last, so a stored sequence is never
  // behind the stored rows.
  const sequences = await sequencesOf(client)
  const tail = { rows: Object.fromEntries(rows), sequences, bytes, sha256: sha256.digest('hex') }
  yield encodedPart({ ...tail, mac: tailMac(secretKey, tail) })
}

async function headOf(client: pg.Client, secretKey: string, passphrase: string | undefined): Promise<Head> {
  const taken = await client.query<{ at: Date }>('select now() as at')
  const migrations = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  )
  return {
    format: FORMAT,
    taken_at: taken.rows[0]?.at.toISOString() ?? '',
    migrations: migrations.rows,
    ...(passphrase !== undefined && { secret: await sealSecret(secretKey, passphrase) }),
  }
}

async function syncToDisk(path: string) {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

function explained(error: unknown, file: string): unknown {
  const { code } = asRecord(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new PlainError(
      `The disk of ${file} is full. The unfinished backup was removed. Free disk space, or name a file on another disk.`,
    )
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EROFS', 'EPERM'].includes(String(code)))
    return new PlainError(`${file} cannot be written (${code}). Name a file in a folder that can.`)
  return error
}

/** Stores the time and size of the newest backup in the database, for the metrics. */
export async function lastBackupUpsert(db: Database, backup: { taken_at: Date; bytes: number }): Promise<void> {
  const row = { only_row: true, ...backup }
  await db
    .insertInto('last_backup')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(backup))
    .execute()
}

export const lastBackupFind = (db: Database) =>
  db.selectFrom('last_backup').select(['taken_at', 'bytes']).executeTakeFirst()

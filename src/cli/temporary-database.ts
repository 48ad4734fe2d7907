import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { withClient } from '../core/backup/open-backup-connection.ts'
import { isPrivilegeMissing } from '../infra/db/database-failures.ts'
import { startEmbeddedPostgres } from '../infra/db/embedded-postgres.ts'
import { withDatabase } from '../infra/net/parse-database-url.ts'
import { PlainError } from '../infra/util/command-line-error.ts'

/**
 * Creates an empty temporary database, runs `work` on it, and removes it. The database is on the PostgreSQL server of
 * `databaseUrl` or, if `databaseUrl` is undefined, on an embedded PostgreSQL.
 */
export async function withScratchDatabase<T>(databaseUrl: string | undefined, work: (url: string) => Promise<T>) {
  const name = `usp_check_${randomBytes(6).toString('hex')}`
  return databaseUrl === undefined ? onOneOfOurOwn(name, work) : beside(databaseUrl, name, work)
}

async function beside<T>(databaseUrl: string, name: string, work: (url: string) => Promise<T>): Promise<T> {
  await withClient(databaseUrl, (client) => client.query(`create database ${name} template template0`)).catch(
    (error) => {
      if (!isPrivilegeMissing(error)) throw error
      throw new PlainError(
        'The user of DATABASE_URL may not create a scratch database. Allow it (alter role NAME createdb), ' +
          'or set DATABASE_URL to any other PostgreSQL where it may: the check needs only the file.',
      )
    },
  )
  try {
    const url = withDatabase(databaseUrl, name)
    await refuseUnknown(url)
    return await work(url)
  } finally {
    await withClient(databaseUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
}

/**
 * Throws an error with advice if a connection to the new temporary database fails. Some poolers know only their
 * configured databases.
 */
async function refuseUnknown(url: string) {
  await withClient(url, async () => {}).catch((error) => {
    if (!(error instanceof pg.DatabaseError)) throw error
    throw new PlainError(
      `A scratch database was created, but the next connection did not find it (${error.message}). ` +
        'If DATABASE_URL leads to a pooler, set DATABASE_DIRECT_URL to PostgreSQL itself.',
    )
  })
}

async function onOneOfOurOwn<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), name)
  const { url, stop } = await startEmbeddedPostgres(folder)
  try {
    return await work(url)
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { ROLE } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The connection string with the server's role, which is no superuser. */
    postgres: string
    superuser: string
  }
}

export const TEMPLATE = 'usp_template'

/** The address of a running PostgreSQL, which saves its start in repeated test runs. */
const { USP_TEST_POSTGRES, USP_TEST_SUPERUSER } = process.env

/** Linux's folder for files in memory, and the required free bytes. */
const [MEMORY, ROOM] = ['/dev/shm', 4 * 2 ** 30]

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup({ provide }: Pick<TestProject, 'provide'>) {
  // A database has seven hundred files. Creating one takes a third of a second on a disk, and a fortieth in memory.
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'usp-tests-'))
  // Under root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  // Temporary files of the workers are in the same folder.
  process.env.TMPDIR = folder
  // Servers that tests start share their compiled code.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const { postgres, superuser, stop } =
    USP_TEST_POSTGRES && USP_TEST_SUPERUSER
      ? { postgres: USP_TEST_POSTGRES, superuser: USP_TEST_SUPERUSER, stop: () => {} }
      : await startPostgres()
  provide('postgres', postgres)
  provide('superuser', superuser)
  return async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM
  } catch {
    return false
  }
}

export async function startPostgres(within = tmpdir()) {
  const folder = join(within, `usp-test-${randomUUID()}`)
  const { url, superuserUrl, stop } = await startEmbeddedPostgres(folder)
  const admin = new pg.Client(superuserUrl)
  await admin.connect()
  // No test needs the data after a crash of the machine. A killed server process loses nothing with these settings.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await admin.query(`alter system set ${setting} = off`)
  // Autovacuum would process each of a thousand databases, which the tests drop soon.
  await admin.query('alter system set autovacuum = off')
  // Copying the template through the WAL, a thousand times, took a fifth of the run.
  await admin.query("alter system set file_copy_method = 'clone'")
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${TEMPLATE} owner ${ROLE}`)
  await admin.end()
  await migrate(databaseUrl(url, TEMPLATE))
  return {
    postgres: url,
    superuser: superuserUrl,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

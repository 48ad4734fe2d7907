import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded.ts'
import { ROLE } from '../../src/infra/db/embedded-role.ts'
import { migrate } from '../../src/infra/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's own role, which is no superuser. */
    postgres: string
    superuser: string
  }
}

export const TEMPLATE = 'usp_template'

/** Where a PostgreSQL is that runs already, for whoever runs the tests time and again. */
const { USP_TEST_POSTGRES, USP_TEST_SUPERUSER } = process.env

/** Where Linux keeps files in memory, and how many bytes must be free there. */
const [MEMORY, ROOM] = ['/dev/shm', 4 * 2 ** 30]

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup({ provide }: Pick<TestProject, 'provide'>) {
  // A database is seven hundred files: to make one takes a third of a second on a disk, a fortieth in memory.
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'usp-tests-'))
  // PostgreSQL runs as somebody else where the tests run as root.
  chmodSync(folder, 0o755)
  // Whatever the workers keep for a while is kept there, too.
  process.env.TMPDIR = folder
  // Servers that tests start need not each compile what the one before them had.
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
  // Nothing here outlives the machine; that a killed server loses nothing does not hang on it.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await admin.query(`alter system set ${setting} = off`)
  // It would look after each of a thousand databases that are done with as soon as they are made.
  await admin.query('alter system set autovacuum = off')
  // A thousand copies of the template, page by page through the log, took a fifth of the run.
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

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { ROLE } from '../../src/db/embedded-role.ts'
import { migrate } from '../../src/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's own role, which is no superuser. */
    postgres: string
    superuser: string
  }
}

export const TEMPLATE = 'usp_template'

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject) {
  const folder = join(tmpdir(), `usp-test-${randomUUID()}`)
  const postgres = await startEmbeddedPostgres(folder)
  const admin = new pg.Client(postgres.superuserUrl)
  await admin.connect()
  await admin.query(`create database ${TEMPLATE} owner ${ROLE}`)
  await admin.end()
  await migrate(databaseUrl(postgres.url, TEMPLATE))
  project.provide('postgres', postgres.url)
  project.provide('superuser', postgres.superuserUrl)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

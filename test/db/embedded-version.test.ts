import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'

const folder = join(tmpdir(), `usp-version-${randomUUID()}`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[a folder of another version of PostgreSQL] is left as it is, and it is said how its data are had', async () => {
  const { stop } = await startEmbeddedPostgres(folder)
  await stop()
  writeFileSync(join(folder, 'postgres', 'data', 'PG_VERSION'), '14\n')
  await expect(startEmbeddedPostgres(folder)).rejects.toThrow(
    /was made by PostgreSQL 14, and this version of the server brings \d+\. .*usp -- backup FILE.*usp -- restore FILE/,
  )
})

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'

const folder = join(tmpdir(), `usp-version-${randomUUID()}`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[a folder of another version of PostgreSQL] is left as it is where that is nowhere, and it is said how its data are had', async () => {
  const { stop } = await startEmbeddedPostgres(folder)
  await stop()
  writeFileSync(join(folder, 'postgres', 'data', 'PG_VERSION'), '9\n')
  const upgrade = { oldPrograms: undefined, carryOver: () => Promise.reject(new Error('not reached')) }
  for (const how of [undefined, upgrade])
    await expect(startEmbeddedPostgres(folder, undefined, how)).rejects.toThrow(
      /^PostgreSQL 9 created .* This version of the server has PostgreSQL \d+, .*USP_OLD_POSTGRES.*usp backup FILE.*usp restore FILE/,
    )
})

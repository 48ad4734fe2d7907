/**
 * Generates files from schemas, operations, migrations and the table of error codes: types, the routes of the client,
 * the REST and tool descriptions, the state diagrams, and the page of error codes. CI runs this script, and fails if a
 * committed file would change.
 */
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/infra/db/embedded-postgres.ts'
import { migrate } from '../src/infra/db/run-migrations.ts'
import { errorsPage } from './errors-page.ts'
import { generateClient } from './generate-client.ts'
import { generateDatabaseTypes } from './generate-database-types.ts'
import { generateTypes } from './generate-types.ts'
import { statesPage } from './states-page.ts'

const root = new URL('..', import.meta.url)
const write = (path: string, text: string) => writeFileSync(new URL(path, root), text)
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

write('src/protocol/types.generated.ts', await generateTypes())

const folder = join(tmpdir(), `usp-generate-${randomUUID()}`)
const postgres = await startEmbeddedPostgres(folder)
try {
  await migrate(postgres.url)
  write('src/infra/db/schema.generated.ts', await generateDatabaseTypes(postgres.url))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

const { operations } = await import('../src/server/all-operations.ts')
const { openapi } = await import('../src/interfaces/docs/openapi.ts')
const { inOpenapi30 } = await import('../src/interfaces/docs/convert-to-openapi-3-0.ts')
const { openrpc } = await import('../src/interfaces/docs/openrpc.ts')
write('packages/client/operations.generated.ts', generateClient())
const rest = openapi(operations)
write('openapi/usp-rest.json', json(rest))
write('openapi/usp-rest-3.0.json', json(inOpenapi30(rest)))
write('openapi/usp-mcp.json', json(openrpc(operations)))
write('docs/states.md', statesPage())
write('docs/errors.md', errorsPage())

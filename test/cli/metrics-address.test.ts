import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-metrics-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[work apart] a server with an address of its own for metrics starts, and all that it does by itself with it', async () => {
  const [port, apart] = [await freePort(), await freePort()]
  const server = usp(['serve'], {
    PORT: String(port),
    METRICS_ADDRESS: `127.0.0.1:${apart}`,
    USP_DATA_DIR: folder,
    DATABASE_URL: await freshDatabase(),
  })
  await waitForOutput(server, 'Ctrl-C stops it.')
  expect((await fetch(`http://127.0.0.1:${apart}/metrics`)).status).toBe(200)
  server.process.kill('SIGINT')
  expect(await server.ended).toBe(0)
}, 250_000)

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-start-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A module that prints to the console again and again, like a library that warns. */
const LIBRARY = 'setInterval(()=>console.warn("a_library_warns"),200).unref()'

test('[start] a started server logs wrong settings, and the console output of libraries, as JSON', async () => {
  const server = usp(['serve'], {
    PORT: String(await freePort()),
    USP_DATA_DIR: folder,
    USP_BACKUP_DIR: '/dev/null/backups',
    DATABASE_URL: await freshDatabase(),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LIBRARY)}`,
  })
  await waitForOutput(server, 'Ctrl-C stops it.')
  await waitForOutput(server, '"from":"console"')
  server.process.kill('SIGINT')
  expect(await server.ended).toBe(0)
  const lines = server.output().split('\n')
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const warning = (msg: string) => expect.objectContaining({ level: 40, msg: expect.stringContaining(msg) })
  expect(logged).toContainEqual(warning('USP_BACKUP_DIR /dev/null/backups cannot be used (ENOTDIR)'))
  expect(logged).toContainEqual(warning('a_library_warns'))
}, 250_000)

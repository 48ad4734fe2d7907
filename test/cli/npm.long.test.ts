import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../support/process.ts'

const data = join(tmpdir(), `usp-npm-${randomUUID()}`)
afterAll(() => rmSync(data, { recursive: true, force: true }))

test.each([
  ['SIGTERM', 'npm'],
  ['SIGINT', 'npm'],
  // As a terminal does; npm hands it on besides.
  ['SIGINT', 'all of its group'],
  ['SIGHUP', 'all of its group'],
] as const)('[%s to %s ends the server] with its database, and the port is free', async (signal, whom) => {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOME: data, PORT: String(port), USP_DATA_DIR: data, USP_DEMO_DATA: 'off' }
  // A group of its own, so that whatever would be left can be ended.
  const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const ended = once(npm, 'exit')
    let said = ''
    for await (const chunk of npm.stdout) {
      said += chunk
      if (said.includes('Ctrl-C stops it.')) break
    }
    expect(said).toContain('Ctrl-C stops it.')
    process.kill(whom === 'npm' ? Number(npm.pid) : -Number(npm.pid), signal)
    await ended
    // The server itself, not only who started it: it lets requests in flight end first.
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then(Boolean, () => false)).toBe(false)
    await expect.poll(() => existsSync(join(data, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  } finally {
    if (npm.pid !== undefined) {
      try {
        process.kill(-npm.pid, 'SIGKILL')
      } catch {} // All of it has ended, as it should.
    }
  }
})

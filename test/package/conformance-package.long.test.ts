import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../support/process.ts'
import { installPacked, npm, root } from './install-packed.ts'

const { project, packed } = installPacked('-w', 'usp-conformance')

test('[package] the suite contains its data and licenses, and no TypeScript', () => {
  const paths = packed.files.map(({ path }) => path)
  for (const path of [
    'dist/main.js',
    'dist/data/rules.tsv',
    'dist/data/loopback-cert.pem',
    'dist/LICENSES.txt',
    'LICENSE',
  ])
    expect(paths).toContain(path)
  expect(paths.filter((path) => path.endsWith('.ts'))).toEqual([])
})

test('[package] the suite needs no other package, and lists its checks', () => {
  expect(npm(project, 'ls', '--all', '--parseable').trim().split('\n')).toHaveLength(2)
  expect(npm(project, 'exec', '--', 'usp-conformance', '--list')).toContain('CAT-001')
})

test('[conformance suite] says what is wrong when no server answers', async () => {
  const { status, stderr } = spawnSync('npx', ['usp-conformance', `http://127.0.0.1:${await freePort()}`], {
    cwd: project,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('Is the server started?') })
})

test('[conformance suite] tells the author of a server with only a catalogue what to do next', async () => {
  const port = await freePort()
  const server = spawn(process.execPath, [join(root, 'packages/conformance/examples/toy-server.ts'), String(port)])
  afterAll(() => server.kill())
  await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${port}`)).resolves.toBeDefined(), { timeout: 10_000 })
  const { stdout, status } = spawnSync('npx', ['usp-conformance', `http://127.0.0.1:${port}`], {
    cwd: project,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stdout).toMatch(/Core +not earned/)
  expect(stdout).toContain('What to do next')
  expect(stdout).toContain('The business does not offer services.bookings.')
})

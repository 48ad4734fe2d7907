import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test as sequential } from 'vitest'
import { selfSigned } from '../support/certificates.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

/** Each has a server of its own, and mostly waits for it. */
const test = sequential.concurrent

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folder() {
  const path = join(tmpdir(), `usp-serve-${randomUUID()}`)
  folders.push(path)
  return path
}

const own = selfSigned('book.example')
const READY = 'Ctrl-C stops it.'
const isRoot = process.getuid?.() === 0

async function serve(env: NodeJS.ProcessEnv, options = {}) {
  const port = await freePort()
  const running = usp(['serve'], { PORT: String(port), ...env }, options)
  await waitForOutput(running, READY)
  return { ...running, url: `http://127.0.0.1:${port}` }
}

const stop = (running: Awaited<ReturnType<typeof serve>>) => {
  running.process.kill('SIGINT')
  return running.ended
}

/** Hints come and go while the server runs. */
async function servicesOf(url: string): Promise<object[]> {
  const { items } = await (await fetch(`${url}/usp/v1/services/feed`)).json()
  return items
    .map(
      ({ data: { availability_hint: _, ...service } }: { data: { id: string; availability_hint?: object } }) => service,
    )
    .sort((one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1))
}

test('[AUT-093] the first start makes a business with data, the second finds it again', async () => {
  const data = folder()
  const first = await serve({ USP_DATA_DIR: data })
  const token = readFileSync(join(data, 'owner-token'), 'utf8')
  expect(token).toMatch(/^ust_[\w-]{43}\n$/)
  expect(statSync(join(data, 'owner-token')).mode & 0o777).toBe(0o600)
  expect(first.output()).not.toContain(token.trim())
  const before = await servicesOf(first.url)
  const keys = (await (await fetch(`${first.url}/.well-known/usp`)).json()).keys
  // Platforms use the demo business as a sandbox, so its limits are high.
  expect((await fetch(`${first.url}/usp/v1/services/feed`)).headers.get('ratelimit-limit')).toBe('3000')
  expect(before).toHaveLength(9)
  expect(await stop(first)).toBe(0)

  const second = await serve({ USP_DATA_DIR: data })
  expect(await servicesOf(second.url)).toEqual(before)
  expect((await (await fetch(`${second.url}/.well-known/usp`)).json()).keys).toEqual(keys)
  expect(readFileSync(join(data, 'owner-token'), 'utf8')).toBe(token)
  expect(await stop(second)).toBe(0)
})

test('[a new business] begins with none and a way to the desk, and is not begun twice', async () => {
  const data = folder()
  const begin = async (env: NodeJS.ProcessEnv) => {
    const running = usp(['serve', '--new'], { PORT: String(await freePort()), USP_DATA_DIR: data, ...env })
    return { ...running, ready: waitForOutput(running, READY) }
  }
  const first = await begin({})
  await first.ready
  expect(first.output()).toMatch(/Desk +http\S+\/desk\/enter\/\S+ \(once\)/)
  expect(first.output()).toContain('five questions')
  expect(first.output()).not.toContain('curl')
  await stop({ ...first, url: '' })
  await stop(await serve({ USP_DATA_DIR: data }))
  for (const [env, why] of [
    [{}, 'Glamour Salon is set up here already'],
    [{ USP_BUSINESS_FILE: 'business.yaml' }, 'Remove one of them'],
  ] as const) {
    const again = await begin(env)
    again.ready.catch(() => {})
    expect(await again.ended).toBe(1)
    expect(again.output()).toContain(why)
  }
})

test('[what is hardly meant is warned of] at the first start as well', async () => {
  const data = folder()
  mkdirSync(data)
  const file = join(data, 'business.json')
  const odd = service('svc_odd', { capacity: { min: 2, max: 4, waitlist: true } })
  const payments = { provider: 'stripe' as const, collected_by: ['client:cli_typo'] }
  writeFileSync(file, JSON.stringify(businessWith([odd], { payments })))
  const running = await serve({ USP_DATA_DIR: data, USP_BUSINESS_FILE: file, DATABASE_URL: await freshDatabase() })
  expect(running.output()).toMatch(/"level":40.*business\.json:1: services\[svc_odd\]\.capacity\.waitlist /)
  expect(running.output()).toMatch(/"level":40.*payments\.collected_by names client:cli_typo/)
  await stop(running)
})

test('every curl of the welcome does what it says', async () => {
  const running = await serve({ USP_DATA_DIR: folder() })
  const [profile, list, one] = [...running.output().matchAll(/^ +(curl .*)$/gm)].map(([, line]) => line)
  const { execSync } = await import('node:child_process')
  const run = (line = '') => JSON.parse(execSync(`${line} --silent --fail`, { encoding: 'utf8' }))
  expect(run(profile).usp.business.name).toBe('Glamour Salon')
  expect(run(list).services.length).toBeGreaterThan(0)
  expect(run(one).service.id).toBe('svc_haircut')
  expect((await fetch(`${running.url}/docs/`)).status).toBe(200)
  await stop(running)
})

test('a server that was killed leaves a PostgreSQL that the next start joins', async () => {
  const data = folder()
  const killed = await serve({ USP_DATA_DIR: data })
  killed.process.kill('SIGKILL')
  await killed.ended
  const next = await serve({ USP_DATA_DIR: data })
  expect((await fetch(`${next.url}/usp/v1/services/svc_haircut`)).status).toBe(200)
  await stop(next)
  expect(existsSync(join(data, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
})

sequential.runIf(isRoot).concurrent('an ordinary user can start it, with a closed umask too', async () => {
  const data = folder()
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, 65_534, 65_534)
  const running = await serve({ USP_DATA_DIR: data, HOME: data }, { uid: 65_534 })
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  await stop(running)
})

test('with DATABASE_URL it uses that server and starts none', async () => {
  const data = folder()
  const running = await serve({ USP_DATA_DIR: data, DATABASE_URL: await freshDatabase({ migrated: false }) })
  expect((await fetch(`${running.url}/usp/v1/services/svc_haircut`)).status).toBe(200)
  expect(existsSync(join(data, 'postgres'))).toBe(false)
  await stop(running)
})

test('whatever else uses the folder leaves the running server its database', async () => {
  const data = folder()
  const running = await serve({ USP_DATA_DIR: data })
  const env = { USP_DATA_DIR: data, PORT: new URL(running.url).port }
  const dry = usp(['apply', 'examples/glamour-salon.yaml', '--dry-run'], env)
  const applies = [
    usp(['apply', 'examples/glamour-salon.yaml'], env),
    usp(['apply', 'examples/glamour-salon.yaml'], env),
  ]
  const second = usp(['serve'], env)
  const stdio = usp(['mcp-stdio'], env)
  stdio.process.stdin?.end()
  expect(await Promise.all([dry, ...applies, stdio].map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/^Port \d+ is in use/)
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
  expect(await stop(running)).toBe(0)
  expect(existsSync(join(data, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
})

test.each([300, 700, 1100])(
  'a first start that was killed after %i ms does not spoil the folder',
  async (milliseconds) => {
    const data = folder()
    const killed = usp(['serve'], { USP_DATA_DIR: data, PORT: String(await freePort()) })
    await setTimeout(milliseconds)
    killed.process.kill('SIGKILL')
    await killed.ended
    const next = await serve({ USP_DATA_DIR: data })
    expect((await fetch(`${next.url}/usp/v1/services/svc_haircut`)).status).toBe(200)
    expect(await stop(next)).toBe(0)
  },
)

test('a dry run writes nothing, not even the schema', async () => {
  const url = await freshDatabase({ migrated: false })
  const data = folder()
  const dry = usp(['apply', 'examples/glamour-salon.yaml', '--dry-run'], { DATABASE_URL: url, USP_DATA_DIR: data })
  expect(await dry.ended).toBe(0)
  expect(dry.output()).toContain('Would apply to Glamour Salon')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query("select * from pg_tables where schemaname = 'public'")
  await client.end()
  expect(rows).toEqual([])
  expect(existsSync(data)).toBe(false)
})

test('Ctrl-C lets a request in flight end, then stops', async () => {
  const running = await serve({ USP_DATA_DIR: folder(), DATABASE_URL: await freshDatabase({ migrated: false }) })
  const body = JSON.stringify({ ids: ['svc_haircut'] })
  const call = request(`${running.url}/usp/v1/services/lookup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  call.flushHeaders()
  await once(call, 'continue')
  running.process.kill('SIGINT')
  // The server no longer listens once it closes, but still reads what it began to.
  while (await fetch(`${running.url}/healthz`).then(Boolean, () => false));
  call.end(body)
  const [response] = await once(call, 'response')
  expect(response.statusCode).toBe(200)
  expect(await running.ended).toBe(0)
})

test.each([
  ['in plaintext', {}],
  ['under TLS', { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile }],
])('[a connection that asks for nothing does not hold up the end] %s', async (_, more) => {
  const running = await serve({ USP_DATA_DIR: folder(), DATABASE_URL: await freshDatabase(), ...more })
  const connection = connect(Number(new URL(running.url).port), '127.0.0.1')
  await once(connection, 'connect')
  const asked = performance.now()
  running.process.kill('SIGTERM')
  await once(connection.resume(), 'close')
  expect(await running.ended).toBe(0)
  expect(performance.now() - asked).toBeLessThan(7_000)
})

test('[the end waits for all at once] for a request that does not go on, and for a receiver that does not answer', async () => {
  const DATABASE_URL = await freshDatabase()
  const running = await serve({ USP_DATA_DIR: folder(), DATABASE_URL })
  const receiver = createServer().listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const callback = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
  const env = { PATH: process.env.PATH, USP_DATA_DIR: folder(), AGENT_PORT: String(await freePort()) }
  const agent = ['packages/client/run-agent-command.ts', 'subscribe', callback, '--url', running.url]
  await promisify(execFile)('node_modules/.bin/node', agent, { env })
  const called = once(receiver, 'connection')
  const salon = join(folder(), 'salon.yaml')
  mkdirSync(dirname(salon))
  const text = readFileSync('examples/glamour-salon.yaml', 'utf8')
  writeFileSync(salon, text.replace('amount: 7500', 'amount: 7600'))
  expect(await usp(['apply', salon], { DATABASE_URL }).ended).toBe(0)
  await called
  const connection = connect(Number(new URL(running.url).port), '127.0.0.1')
  const head =
    'POST /usp/v1/services/list HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n'
  connection.on('error', () => {}).write(`${head}{`)
  await setTimeout(500)
  const asked = performance.now()
  running.process.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  expect(performance.now() - asked).toBeLessThan(15_000)
  receiver.close()
})

const production = {
  USP_MODE: 'production',
  BASE_URL: 'https://book.example.com',
  USP_SECRET_KEY: 'x'.repeat(40),
}

const refused = async (env: NodeJS.ProcessEnv) => {
  const running = usp(['serve'], env)
  const code = await running.ended
  return { code, output: running.output().trim() }
}

test('a port in use, an unreachable database and wrong settings are told in one line each', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const taken = String(typeof address === 'object' && address ? address.port : 0)
  const database = await freshDatabase({ migrated: false })
  const closed = await freePort()
  const cases: [NodeJS.ProcessEnv, RegExp][] = [
    [{ PORT: taken, DATABASE_URL: database, USP_DATA_DIR: folder() }, /^Port \d+ is in use\. Set PORT to a free one/],
    [
      { DATABASE_URL: `postgres://u:secret@127.0.0.1:${closed}/x` },
      /^No PostgreSQL answers at 127\.0\.0\.1:\d+\..*DATABASE_URL/,
    ],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is not usable: set it to a connection string/],
    [{ BASE_URL: 'https://book.example', DATABASE_URL: database }, /^BASE_URL is https and USP_MODE is not set/],
    [{ DATABASE_URL: 'postgres://u:secret@none.invalid/x' }, /^This host name does not exist: none\.invalid:5432\./],
    [{ PORT: 'eighty' }, /^PORT is not usable: set it to a number/],
    [{ USP_SECRET: 'x' }, /^USP_SECRET: no such setting\. Known are USP_MODE/],
    [
      { USP_BUSINESS_FILE: '/none.yaml', DATABASE_URL: await freshDatabase(), USP_DATA_DIR: folder() },
      /^\/none\.yaml cannot be read/,
    ],
    [{ ...production }, /^DATABASE_URL is required in production/],
    [
      { ...production, DATABASE_URL: database, BASE_URL: 'http://book.example.com' },
      /^BASE_URL must be https in production/,
    ],
    [{ USP_DATA_DIR: '/dev/null/nowhere' }, /^\/dev\/null\/nowhere cannot be used \(ENOTDIR\)\. Set USP_DATA_DIR/],
  ]
  for (const [env, expected] of cases) {
    const { code, output } = await refused(env)
    expect(output).toMatch(expected)
    expect(output.split('\n')).toHaveLength(1)
    expect(output).not.toContain('secret@')
    expect(code).toBe(1)
  }
  holder.close()
})

sequential.runIf(isRoot).concurrent('a folder that PostgreSQL cannot enter is named, with what to set', async () => {
  const closed = folder()
  mkdirSync(closed, { mode: 0o700 })
  const { code, output } = await refused({ USP_DATA_DIR: join(closed, 'data') })
  expect(output).toMatch(/^PostgreSQL runs as user \d+ and cannot enter .*Set USP_DATA_DIR .* DATABASE_URL/)
  expect(code).toBe(1)
})

test('a secret key that does not open the stored keys is refused', async () => {
  const env = { DATABASE_URL: await freshDatabase(), USP_DATA_DIR: folder() }
  await stop(await serve({ ...env, USP_SECRET_KEY: 'a'.repeat(40) }))
  const { code, output } = await refused({ ...env, USP_SECRET_KEY: 'b'.repeat(40) })
  expect(output).toMatch(/^USP_SECRET_KEY does not open the keys stored in this database/)
  expect(code).toBe(1)
})

test('[AUT-094] production starts without demo data and without anyone who could sign in', async () => {
  const port = await freePort()
  const url = await freshDatabase()
  const running = usp(['serve'], { ...production, PORT: String(port), TRUST_PROXY: '127.0.0.1', DATABASE_URL: url })
  await waitForOutput(running, 'listening')
  const client = new pg.Client(url)
  await client.connect()
  expect((await client.query('select * from staff')).rows).toEqual([])
  await client.end()
  const headers = { 'x-forwarded-proto': 'https' }
  const profile = await fetch(`http://127.0.0.1:${port}/.well-known/usp`, { headers })
  expect(profile.status).toBe(503)
  expect((await profile.json()).detail).toContain('usp apply FILE')
  expect((await fetch(`http://127.0.0.1:${port}/.well-known/usp`)).status).toBe(400)
  running.process.kill('SIGTERM')
  expect(await running.ended).toBe(0)
})

test('[no single request stalls the server] what issues access tokens is loaded before the server listens', async () => {
  const tell = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      if (url.endsWith('oidc-provider/lib/index.js')) console.log('loads the provider')
      return next(url, context)
    } })`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}`, USP_DATA_DIR: folder() }
  const running = await serve(env)
  expect(running.output()).toMatch(/loads the provider(.|\n)*is served at/)
  await stop(running)
})

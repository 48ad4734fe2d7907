import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../packages/client/index.ts'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { openBusiness } from '../client/business.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { type Received, testReceiver } from '../support/receiver.ts'
import { installPacked, npm, root } from './install-packed.ts'

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

/** The programs run beside the server of this test, which is in this process. */
const run = async (program: string, ...args: string[]) =>
  (await promisify(execFile)(program, args, { cwd: project, encoding: 'utf8' })).stdout

const { project, packed } = installPacked('-w', 'usp-client')
for (const name of ['fastify', 'express'])
  symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))

const nodes = [process.execPath]
const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
try {
  if (versionOf('/usr/bin/node') !== process.version) nodes.push('/usr/bin/node')
} catch {
  // This machine has no other Node.
}

const receiver = await testReceiver('/hook')
const platform = await testPlatform({ webhook_url: receiver.url })
const business = await openBusiness(businessWith([service('svc_a')]))

/** Writes the programs of the README into the project, with the addresses of this test. */
const port = { fastify: await freePort(), express: await freePort() }
const readPage = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = readPage('packages/client/README.md')
const withAddresses = (code: string) =>
  code
    .replaceAll(/https:\/\/salon\.example|http:\/\/127\.0\.0\.1:8080/g, business.url)
    .replaceAll('https://platform.example/profile.json', platform.url)
    .replaceAll('https://platform.example/hook', receiver.url)
const programs = [...readme.matchAll(/```js\n(\/\/ ([\w-]+\.js)[\s\S]*?)```/g)].map(([, code = '', name = '']) => {
  const text = withAddresses(code).replace('3000', String(name.includes('fastify') ? port.fastify : port.express))
  writeFileSync(join(project, name), text)
  return name
})

const index = readFileSync(join(project, 'node_modules/usp-client/dist/index.js'), 'utf8')

test('[client package] contains JavaScript and types, and neither sources nor tests', () => {
  const paths = packed.files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/index.js', 'dist/index.d.ts']),
  )
  expect(paths.filter((path) => /(?<!\.d)\.ts$|test|agent/.test(path))).toEqual([])
  console.log(`usp-client: dist/index.js has ${index.length} bytes, the tarball has ${packed.size} bytes`)
  expect(index.length).toBeLessThan(60_000)
})

test('[client package] needs neither Node nor another package', () => {
  expect(index).not.toMatch(/node:|\brequire\(|^import /m)
  expect(index).not.toMatch(/\b(Buffer|process)\./)
  const installed = JSON.parse(npm(project, 'ls', '--json', '--depth=5', 'usp-client'))
  expect(installed.dependencies['usp-client']).not.toHaveProperty('dependencies')
})

const consumer = `
import {
  createClient, fetchProfile, generateKey, publishedKey, UspError, verifyWebhook, WebhookError,
  type Booking, type Client, type FetchRequest, type WebhookEvent,
} from 'usp-client'

const key = await generateKey('ES256')
const client: Client = createClient({ baseUrl: 'https://a.example', platformProfile: 'https://b.example/p', key })
export const kid: string = (await publishedKey(key)).kid
export async function book(service_id: string, slot_id: string): Promise<Booking | undefined> {
  const buyer = { first_name: 'A', last_name: 'B', email: 'a@b.example' }
  try {
    return (await client.createBooking({ service_id, slot_id, buyer })).booking
  } catch (error) {
    if (error instanceof UspError && error.code === 'slot_unavailable') return undefined
    throw error
  }
}
export async function receive(request: FetchRequest, body: Uint8Array): Promise<string | undefined> {
  const profile = await fetchProfile('https://a.example/.well-known/usp')
  const { method, url, headers } = request
  const event: WebhookEvent = await verifyWebhook({ method, url, headers, body }, profile)
  await verifyWebhook(request, profile.keys ?? [], { now: new Date() })
  if (event.event === 'booking.canceled') return event.booking_id
  if (event.event === 'service.deleted') return event.service_id
  return new WebhookError('expired', 'Too late.').code
}
// @ts-expect-error: an unknown member
client.createBooking({ service: 'x' })
`
const withRequest = `${consumer}
export const handle = (request: Request) => receive(request, new Uint8Array())
export const ofNode = (headers: Record<string, string | string[] | undefined>) =>
  verifyWebhook({ method: 'POST', url: 'https://b.example/', headers, body: '' }, [])
`
const compilers = ['node_modules/.bin/tsc', 'test/foreign/node_modules/.bin/tsc'].map((path) => join(root, path))

test.each(
  compilers.flatMap((tsc) => [
    { tsc, lib: ['es2022', 'dom'], text: withRequest },
    { tsc, lib: ['es2022'], text: consumer },
  ]),
)('[client package] has types for strict TypeScript with $lib by $tsc', async ({ tsc, lib, text }) => {
  writeFileSync(join(project, 'consumer.ts'), text)
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ module: 'nodenext', target: 'es2022', types: [], noEmit: true, lib },
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  const output = await run(tsc, '-p', project).catch(({ stdout }) => stdout)
  expect(output).toBe('')
})

describe('the programs of its README', () => {
  /** An event that the server sent for a booking of this program. */
  let event: Received | undefined
  const deliver = (origin: string, change: object = {}) => {
    if (!event) throw new Error('The server sent no event')
    const headers = Object.entries(event.headers).map(([name, value]): [string, string] => [name, String(value)])
    const sent = { 'content-type': '', 'content-digest': '', 'signature-input': '', signature: '' }
    return fetch(`${origin}/hook`, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers.filter(([name]) => name in sent)), ...change },
      body: event.raw.toString(),
    })
  }

  /** The server sends an event about a cancellation, but none about a booking that it confirms at once. */
  async function cancelLast(): Promise<void> {
    const key = JSON.parse(readFileSync(join(project, 'key.json'), 'utf8'))
    const client = createClient({ baseUrl: business.url, platformProfile: platform.url, key })
    const bookings = business.runtime.db.selectFrom('bookings').select('id').orderBy('created_at', 'desc')
    const { id: booking_id } = await bookings.executeTakeFirstOrThrow()
    expect((await client.cancelBooking({ booking_id })).booking?.status).toBe('canceled')
  }

  test('are these', () => {
    expect(programs).toEqual(['create-key.js', 'book.js', 'webhook.js', 'with-fastify.js', 'with-express.js'])
  })

  test.each(nodes.map((node) => [versionOf(node), node]))('create a key and book on Node %s', async (_, node) => {
    platform.profile = { ...platform.profile, keys: [JSON.parse(await run(node, 'create-key.js'))] }
    platform.maxAge = 0
    expect((await run(node, 'book.js')).trim()).toBe('confirmed')
    await cancelLast()
    await sendDueEvents(business.runtime)
    event = receiver.received.at(-1)
    expect(event?.body.event).toBe('booking.canceled')
    const handler = `import { handle } from './webhook.js'
      const [url, headers, body] = JSON.parse(process.argv[1])
      const answers = [body, body + ' '].map((body) => handle(new Request(url, { method: 'POST', headers, body })))
      console.log((await Promise.all(answers)).map(({ status }) => status).join())`
    const request = JSON.stringify([receiver.url, event?.headers, event?.raw.toString()])
    const lines = (await run(node, '--input-type=module', '-e', handler, request)).trim().split('\n')
    expect(lines).toEqual([`booking.canceled ${event?.body.event_id}`, '204,401'])
  })

  test('and the one of docs/platforms.md subscribes', async () => {
    const [, code = ''] = /```js\n(import \{ createClient[\s\S]*?)```/.exec(readPage('docs/platforms.md')) ?? []
    const text = withAddresses(code).replace('await generateKey()', "JSON.parse(readFileSync('key.json', 'utf8'))")
    writeFileSync(join(project, 'platform.mjs'), `import { readFileSync } from 'node:fs'\n${text}`)
    expect(await run(process.execPath, 'platform.mjs')).toMatch(/^sub_\w+$/m)
  })

  test.each(['fastify', 'express'] as const)('verify a webhook in %s', async (name) => {
    const child = spawn(process.execPath, [`with-${name}.js`], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    const origin = `http://127.0.0.1:${port[name]}`
    await vi.waitFor(() => fetch(origin), { timeout: 60_000, interval: 100 })
    expect((await deliver(origin)).status).toBe(204)
    expect((await deliver(origin, { 'content-digest': 'sha-256=:AAAA:' })).status).toBe(401)
    expect(output.trim()).toBe(`booking.canceled ${event?.body.event_id}`)
  })
})

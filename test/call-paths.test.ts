import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addStaff } from '../src/core/authentication/staff-members.ts'
import { sendDueEvents } from '../src/core/events/delivery-worker.ts'
import { applyDefinition } from '../src/domain/definition/apply-definition.ts'
import { readDefinitionFile } from '../src/domain/definition/read-definition.ts'
import { businessWith, service } from './support/definitions.ts'
import { isIn, layers } from './support/layers.ts'
import { testKey, testPlatform } from './support/platform.ts'
import { testReceiver } from './support/receiver.ts'
import { type Answer, testServer } from './support/server.ts'
import { digestOf, ORIGIN, type Outgoing, published, signed } from './support/sign.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'usp-call-paths-'))
afterAll(() => rmSync(folder, { recursive: true }))
const policies = { ...service('any').policies, confirmation_mode: 'manual' as const }
const receiver = await testReceiver()
const key = testKey('ES256')
const platform = await testPlatform({ webhook_url: receiver.url, keys: [published('k1', key)] })
const server = await testServer(businessWith([service('svc_cut', { policies })]))
const { runtime, time } = server
const owner = await addStaff(runtime.db, 'Owner', 'owner', time.now)

const agent = { 'usp-agent': `profile="${platform.url}"` }
const post = (target: string, body: object, headers: Record<string, string> = {}): Outgoing => {
  const text = JSON.stringify(body)
  const form = { 'content-type': 'application/json', 'content-digest': digestOf(text) }
  return { method: 'POST', target, headers: { ...form, ...headers }, body: text }
}
const tool = (name: string, input: object, usp: object = {}) =>
  post('/usp/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { ...input, _meta: { usp: { profile: platform.url, ...usp } } } },
  })
const sign = (outgoing: Outgoing) => signed(outgoing, { key: key.private, parameters: ';keyid="k1"' })
const send = async ({ method, target, headers, body }: Outgoing): Promise<Answer> => {
  const answer = await server.raw({
    method,
    url: target,
    headers: { host: new URL(ORIGIN).host, ...headers },
    payload: body,
  })
  if (answer.status > 299 || answer.body.messages || answer.body.error || answer.body.result?.isError)
    throw new Error(JSON.stringify(answer.body))
  return answer
}

const week = { service_id: 'svc_cut', start_date: '2026-11-24', end_date: '2026-11-30' }
const slots: { id: string }[] = (await send(post('/usp/v1/availability/query', { ...week, limit: 200 }, agent))).body
  .slots
const wish = () => ({
  service_id: 'svc_cut',
  slot_id: slots.splice(-4).at(0)?.id,
  buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
})
const book = () => send(sign(post('/usp/v1/bookings', wish(), { ...agent, 'idempotency-key': randomUUID() })))

const confirm = (id: string) => {
  const headers = { authorization: `Bearer ${owner}`, 'idempotency-key': randomUUID() }
  return send(post(`/usp/v1/bookings/${id}/confirm`, {}, headers))
}

/** Each prepares its data and returns the call to measure. */
const calls: Record<string, () => Promise<() => Promise<unknown>>> = {
  'a signed booking': async () => book,
  'the same as a tool call': async () => () =>
    send(sign(tool('usp_bookings_create', wish(), { idempotency_key: randomUUID() }))),
  'the staff confirm it': async () => {
    const { id } = (await book()).body.booking
    return () => confirm(id)
  },
  'free times': async () => () => send(post('/usp/v1/availability/query', week, agent)),
  'an event to its receiver': async () => {
    await confirm((await book()).body.booking.id)
    return () => sendDueEvents(runtime)
  },
  '`usp apply`': async () => {
    // JSON is YAML.
    const services = [service('svc_cut', { policies, description: `Made anew, ${randomUUID()}` })]
    const file = join(folder, 'business.yaml')
    writeFileSync(file, JSON.stringify(businessWith(services)))
    return async () => applyDefinition(runtime.db, readDefinitionFile(file).definition, time.now)
  },
}

/** A file counts only if each of these calls runs it. Others run by chance, such as a check that runs each second. */
const REPEATS = 3

/** The files of src/ in which any function ran during the call. */
async function filesOf(call: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => relative(join(root, 'src'), url.replace('file://', '')))
    .filter((file) => !file.startsWith('..') && file.endsWith('.ts'))
    .toSorted()
}

const HEAD = `# Call paths

The files that run for six typical calls, by layer. Each call was made once before, so caches are warm.
\`npx vitest run test/call-paths.test.ts -u\` writes this page from measured coverage, and the same test checks it.
`

function page(measured: { name: string; files: string[] }[]): string {
  const linesOf = Map.groupBy(layers, ({ layer }) => layer)
  const sections = measured.map(({ name, files }) => {
    const lines = [...linesOf].flatMap(([layer, ofLayer]) => {
      const folders = ofLayer.flatMap((line) => line.folders)
      const here = files.filter((file) => folders.some((folder) => isIn(file, folder)))
      if (here.length === 0) return []
      return [`- **${layer}** (${here.length}): ${here.map((file) => file.replace(/\.ts$/, '')).join(', ')}`]
    })
    return `## ${name[0]?.toUpperCase()}${name.slice(1)}: ${files.length} files\n\n${lines.join('\n')}\n`
  })
  return [HEAD, ...sections].join('\n')
}

test('docs/call-paths.md lists the files that run for six typical calls', async () => {
  const measured: { name: string; files: string[] }[] = []
  for (const [name, prepare] of Object.entries(calls)) {
    await (await prepare())()
    const runs: string[][] = []
    while (runs.length < REPEATS) runs.push(await filesOf(await prepare()))
    const [first = [], ...others] = runs
    measured.push({ name, files: first.filter((file) => others.every((files) => files.includes(file))) })
  }
  await expect(page(measured)).toMatchFileSnapshot('../docs/call-paths.md')
})

import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { Agent, request as requestOf } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { startTracing } from '../../src/cli/start-tracing.ts'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { setTracer, tracedDetail } from '../../src/infra/telemetry/tracing.ts'
import { toldShop } from '../events/told-shop.ts'
import { type Collected, testCollector } from '../support/collector.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'

const log = pino({ level: 'silent' })

test.each([
  ['nothing is set', {}],
  ['it is switched off', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
  ['traces are', { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
])('[traces cost nothing when off] where %s nothing begins', async (_, env) => {
  expect(await startTracing(env, log)).toBeUndefined()
})

test('[traces cost nothing when off] nothing of OpenTelemetry is loaded but by who begins', () => {
  const files = globSync('src/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const importing = (what: RegExp) => files.filter(({ text }) => what.test(text)).map(({ file }) => file)
  const others = (file: string) => !file.startsWith('src/infra/telemetry/open-telemetry/')
  expect(importing(/from '@opentelemetry/).length).toBeGreaterThan(0)
  expect(importing(/from '@opentelemetry/).filter(others)).toEqual([])
  expect(importing(/from '(\.[^']*\/open-telemetry\/)/).filter(others)).toEqual([])
})

test('a way that is not spoken is refused by name', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  await expect(startTracing(env, log)).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL grpc is not supported')
})

const collector = await testCollector()
Object.assign(process.env, {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_SERVICE_NAME: 'salon',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
})
const end = await startTracing(process.env, log)
afterAll(() => end?.())
const business = await testReceiver()
const shop = await toldShop(businessWith([service('svc_a')], { notifications: { webhook: business.url } }))
const desk = restDesk(shop)

let traces = 0
/** Another caller's step, and what then reaches the collector of the trace that it is in. */
function newTrace() {
  const traceId = (++traces).toString(16).padStart(32, 'a')
  const parent = 'b'.repeat(16)
  const steps = () => collector.spans.filter((span) => span.traceId === traceId)
  /** Once there is such a step or, where things are told by several ways, the one of this way. */
  const arrived = async (name: string, way?: string) => {
    const isIt = (step: Collected) => step.name === name && (!way || step.attributes['usp.channel'] === way)
    await expect.poll(() => steps().some(isIt), { message: name }).toBe(true)
    return steps()
  }
  return { traceId, parent, traceparent: `00-${traceId}-${parent}-01`, arrived }
}

test('a call is part of what its caller does, and what it asks of the database is part of it', async () => {
  const { traceparent, parent, arrived } = newTrace()
  await shop.rest('GET', '/services/svc_a', undefined, { traceparent })
  const route = 'GET /usp/v1/services/:service_id'
  const steps = await arrived(route)
  const request = steps.find(({ name }) => name === route)
  expect(request).toMatchObject({ parentSpanId: parent, kind: 2 })
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/usp/v1/services/:service_id',
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'usp.operation': 'getService',
    'usp.outcome': 'done',
  })
  const statement = steps.find(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statement).toMatchObject({ name: 'select business', kind: 3 })
  expect(statement?.attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': 'select business' })
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'salon', 'deployment.environment.name': 'test' })
  expect(collector.texts[0]).toMatch(/^\/v1\/traces /)
})

test.each([
  ['of the message', (traceparent: string) => ({ name: 'usp_services_get', _meta: { traceparent } })],
  ['of the arguments', (traceparent: string) => ({ name: 'usp_services_get', with: { _meta: { traceparent } } })],
])('a tool call is part of the step that `_meta` %s names', async (_, paramsOf) => {
  const { traceparent, parent, arrived } = newTrace()
  const { with: more, ...params } = { with: {}, ...paramsOf(traceparent) }
  await shop.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, arguments: { service_id: 'svc_a', ...more } },
    }),
  })
  const steps = await arrived('tools/call usp_services_get')
  const tool = steps.find(({ name }) => name === 'tools/call usp_services_get')
  expect(tool?.parentSpanId).toBe(parent)
  expect(tool?.attributes).toMatchObject({ 'usp.operation': 'getService', 'usp.outcome': 'done' })
  expect(steps.find(({ name }) => name === 'select business')?.parentSpanId).toBe(tool?.spanId)
})

test('what an assistant asks for is each a part of its tool call', async () => {
  const { traceparent, arrived } = newTrace()
  const [slot] = await desk.slots('svc_a')
  const params = { name: 'book', arguments: { slot_id: slot.id }, _meta: { traceparent } }
  await shop.raw({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const steps = await arrived('tools/call book')
  const tool = steps.find(({ name }) => name === 'tools/call book')
  const asked = steps.find(({ name }) => name === 'holdSlot')
  expect(asked?.parentSpanId).toBe(tool?.spanId)
  expect(asked?.attributes).toMatchObject({ 'usp.binding': 'assistant', 'usp.outcome': 'done' })
})

test('requests over one connection are each a step of their own', async () => {
  const origin = await (await shop.whole()).listen({ port: 0, host: '127.0.0.1' })
  const traces = [newTrace(), newTrace()]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const { traceparent } of traces) {
    const headers = { traceparent, 'content-type': 'application/json' }
    const asked = requestOf(`${origin}/usp/v1/services/list`, { agent, method: 'POST', headers })
    // The body comes later than the head, and wakes whoever waits for it.
    asked.flushHeaders()
    await pass(20)
    asked.end('{}')
    const [answer] = await once(asked, 'response')
    await once(answer.resume(), 'end')
  }
  agent.destroy()
  for (const { arrived } of traces) {
    const steps = await arrived('POST /usp/v1/services/list')
    const statements = steps.filter(({ kind }) => kind === 3)
    expect(statements.length).toBeGreaterThan(0)
    expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set([steps.find(({ kind }) => kind === 2)?.spanId]),
    )
  }
})

test.each([
  ['as long as this one', '01', ''],
  ['with more in it', 'cc', '-what-is-to-come'],
])('a traceparent of a later version is gone on from as far as it is known: %s', async (_, version, more) => {
  const { traceId, parent, arrived } = newTrace()
  await shop.rest('GET', '/services/svc_a', undefined, { traceparent: `${version}-${traceId}-${parent}-01${more}` })
  const request = (await arrived('GET /usp/v1/services/:service_id')).find(({ kind }) => kind === 2)
  expect(request?.parentSpanId).toBe(parent)
})

test.each([
  ['empty', ''],
  ['a word', 'x'],
  ['of a version that there will never be', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
  ['of a later version that goes on as none does', `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01x`],
  ['of no trace', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`],
  ['too long', `00-${'c'.repeat(32)}-${'b'.repeat(16)}-01-${'d'.repeat(5_000)}`],
])('what is no traceparent begins a trace of its own: %s', async (_, traceparent) => {
  const seen = new Set(collector.spans)
  const id = (await shop.rest('GET', '/services/svc_a', undefined, { traceparent })).headers['x-request-id']
  const mine = () => collector.spans.find((span) => !seen.has(span) && span.attributes['usp.request_id'] === id)
  await expect.poll(mine).toBeDefined()
  expect(mine()?.parentSpanId).toBeUndefined()
})

/** The staff cancel what a platform booked, as a part of what they do. */
async function canceling(as = shop.platform) {
  const trace = newTrace()
  const [slot] = await desk.slots('svc_a')
  const { booking } = (await desk.book(slot, {}, { as })).data
  const headers = { authorization: `Bearer ${shop.staff.bearer}`, traceparent: trace.traceparent }
  const { status } = await shop.rest('POST', `/business/bookings/${booking.id}/cancel`, { reason: 'ill' }, headers)
  expect(status).toBe(200)
  return trace
}

test('an event goes on from the call that made it happen, to whoever is told', async () => {
  const { traceId, arrived } = await canceling()
  await shop.told()
  const steps = await arrived('send booking.canceled')
  const sent = steps.find(({ name }) => name === 'send booking.canceled')
  expect(shop.receiver.received[0]?.headers.traceparent).toBe(`00-${traceId}-${sent?.spanId}-01`)
  expect(sent?.attributes).toMatchObject({ 'usp.outcome': 'delivered', 'http.response.status_code': 204 })
  const names = steps.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['begin', 'commit']))
})

test('a notification names the step in its `_meta` too, as MCP has it', async () => {
  const published = await testPlatform({ webhook_url: shop.receiver.url })
  const { usp } = platformProfile()
  published.profile.usp = { ...usp, services: { 'dev.usp-protocol.services': [{ transport: 'mcp' }] } }
  const { traceId } = await canceling(await shop.newPlatform(published.url))
  const [body] = await shop.told()
  const traceparent = shop.receiver.received[0]?.headers.traceparent
  expect(traceparent).toContain(traceId)
  expect(body).toMatchObject({ method: 'usp_webhook', params: { event: 'booking.canceled', _meta: { traceparent } } })
})

test('what is told to the webhook of the business goes on from the call that made it happen', async () => {
  const { traceId, arrived } = await canceling()
  await sendDueMails(shop.runtime)
  const steps = await arrived('tell booking.canceled_by_business', 'webhook')
  const sent = steps.find(({ attributes }) => attributes['usp.channel'] === 'webhook')
  expect(sent?.attributes).toMatchObject({ 'usp.outcome': 'sent' })
  const told = business.received.filter(({ headers }) => headers.traceparent === `00-${traceId}-${sent?.spanId}-01`)
  expect(told.map(({ body }) => body.kind)).toEqual(['booking.canceled_by_business'])
  expect(collector.texts.join()).not.toContain(new URL(business.url).host)
})

test('a request whose caller hung up says so, and no status that nobody was told', async () => {
  const { traceparent, arrived } = newTrace()
  const app = await shop.whole()
  const { port } = new URL(app.listeningOrigin)
  const head = `POST /usp/v1/services/list HTTP/1.1\r\nhost: x\r\ntraceparent: ${traceparent}\r\ncontent-type: application/json`
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${head}\r\ncontent-length: 10\r\n\r\n{`)
  await pass(100)
  socket.destroy()
  const request = (await arrived('POST /usp/v1/services/list')).find(({ kind }) => kind === 2)
  expect(request?.attributes).toMatchObject({ 'error.type': 'aborted', 'usp.operation': 'listServices' })
  expect(request?.attributes).not.toHaveProperty('http.response.status_code')
  expect(request?.status.code ?? 0).toBe(0)
})

test('what was refused is told by its code, and what anybody wrote or is by nobody', async () => {
  const { traceparent, arrived } = newTrace()
  await shop.rest('GET', '/services/svc_of_Alice?email=alice@example.com', undefined, { traceparent })
  const steps = await arrived('GET /usp/v1/services/:service_id')
  const request = steps.find(({ kind }) => kind === 2)
  expect(request?.attributes).toMatchObject({ 'error.type': 'service_not_found', 'http.response.status_code': 404 })
  expect(request?.status.code ?? 0).toBe(0)
  const all = collector.texts.join()
  for (const secret of ['Alice', 'alice@example.com', 'Williams', shop.staff.bearer, '127.0.0.1'])
    expect(all).not.toContain(secret)
})

test.each([
  [true, ['part']],
  [false, []],
])(
  '[what nobody keeps is not traced] where what is under way is kept: %s, of its parts there begin %j',
  async (isKept, names) => {
    const begun: string[] = []
    setTracer({
      begin({ name }) {
        begun.push(name)
        return { within: (work) => work(), note: () => {}, end: () => {} }
      },
      note: () => {},
      currentTraceparent: () => `00-${'a'.repeat(32)}-${'b'.repeat(16)}-0${Number(isKept)}`,
      isSampled: () => isKept,
    })
    expect(
      await tracedDetail(
        () => ({ name: 'part' }),
        async () => 'done',
      ),
    ).toBe('done')
    expect(begun).toEqual(names)
  },
)

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { diag } from '@opentelemetry/api'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openTelemetry } from '../../src/infra/telemetry/open-telemetry/create-open-telemetry-tracer.ts'
import { protobufExporter } from '../../src/infra/telemetry/open-telemetry/protobuf-exporter.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  diag.disable()
})

/** A tracer with these environment variables, and its warnings. It samples all traces unless a test sets a sampler. */
function tracerWith(env: Record<string, string>, exporterOf: () => SpanExporter = () => collecting().exporter) {
  for (const [name, value] of Object.entries({ OTEL_TRACES_SAMPLER: 'always_on', ...env })) vi.stubEnv(name, value)
  const told: string[] = []
  const log = { warn: ({ reason }: { reason: string }) => void told.push(reason) }
  const tracer = openTelemetry(exporterOf(), log)
  return { tracer, told }
}

/** An exporter that answers when it is let, and what it was given. */
function collecting() {
  const spans: ReadableSpan[] = []
  const waiting: (() => void)[] = []
  let isHeld = false
  const exporter: SpanExporter = {
    export(more, done) {
      spans.push(...more)
      const answer = () => done({ code: 0 })
      if (isHeld) waiting.push(answer)
      else answer()
    },
    shutdown: async () => {},
  }
  const hold = () => {
    isHeld = true
  }
  const release = () => {
    isHeld = false
    for (const answer of waiting.splice(0)) answer()
  }
  return { exporter, spans, hold, release }
}

test('[a collector that fails] is told of once, not with each batch, and keeps nobody from ending for long', async () => {
  let batches = 0
  const failing: SpanExporter = {
    export(_, done) {
      batches++
      done({ code: 1, error: new Error('It is full.') })
    },
    shutdown: () => new Promise(() => {}),
  }
  const { tracer, told } = tracerWith({ OTEL_BSP_SCHEDULE_DELAY: '1' }, () => failing)
  for (let seen = 0; seen < 3; seen = batches) {
    tracer.begin({ name: 'some' }).end()
    await expect.poll(() => batches).toBeGreaterThan(seen)
  }
  expect(told).toEqual([expect.stringContaining('It is full.')])
  const began = performance.now()
  await tracer.close()
  expect(performance.now() - began).toBeLessThan(4_000)
  expect(told[1]).toContain('did not accept the remaining spans in time')
})

const SMALL = `00000001${'0'.repeat(24)}`
const BIG = `ffffffff${'0'.repeat(24)}`
const kept = (traceId = SMALL) => `00-${traceId}-${'b'.repeat(16)}-01`
const notKept = (traceId = SMALL) => `00-${traceId}-${'b'.repeat(16)}-00`
/** Like an unset variable: the server's own default applies. */
const BLANK = { OTEL_TRACES_SAMPLER: '' }
const share = (sampler: string, arg: string) => ({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg })

test.each([
  ['of who keeps it', 'kept', BLANK, kept(BIG)],
  ['of who does not keep it', 'dropped', BLANK, notKept()],
  ['of nobody', 'kept', { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, undefined],
  ['of nobody', 'kept', { OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
  ['of who does not keep it', 'kept', { OTEL_TRACES_SAMPLER: 'always_on' }, notKept()],
  ['of who keeps it', 'dropped', { OTEL_TRACES_SAMPLER: 'always_off' }, kept()],
  ['of nobody', 'dropped', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, undefined],
  ['of who keeps it', 'kept', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, kept()],
  ['of who does not keep it', 'dropped', { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, notKept()],
  ['of a small number', 'kept', share('traceidratio', '0.1'), notKept(SMALL)],
  ['of a big number', 'dropped', share('traceidratio', '0.1'), kept(BIG)],
  ['of nobody', 'dropped', share('parentbased_traceidratio', '0'), undefined],
  ['of a big number, kept', 'kept', share('parentbased_traceidratio', '0'), kept(BIG)],
  ['of a small number, not kept', 'dropped', share('parentbased_traceidratio', '1'), notKept(SMALL)],
])('[the sampler decides] a trace %s is %s with %j', async (_, expected, env, parent) => {
  const { exporter, spans } = collecting()
  const { tracer, told } = tracerWith(env, () => exporter)
  const request = tracer.begin({ name: 'request', kind: 'server', parent })
  request.within(() => {
    expect(tracer.isSampled()).toBe(expected === 'kept')
    expect(tracer.currentTraceparent()).toMatch(expected === 'kept' ? /-01$/ : /-00$/)
    tracer.begin({ name: 'part' }).end()
  })
  request.end()
  await tracer.close()
  expect(spans.map(({ name }) => name)).toEqual(expected === 'kept' ? ['part', 'request'] : [])
  expect(told).toEqual([])
})

test('[the sampler decides] by default the server samples one trace in ten', async () => {
  const { tracer, told } = tracerWith(BLANK)
  let sampled = 0
  for (let trace = 0; trace < 2_000; trace++)
    tracer.begin({ name: 'request' }).within(() => {
      sampled += Number(tracer.isSampled())
    })
  // Six standard deviations around 200.
  expect(sampled).toBeGreaterThan(120)
  expect(sampled).toBeLessThan(280)
  expect(told).toEqual([])
  await tracer.close()
})

test.each([
  [{ OTEL_TRACES_SAMPLER: 'some' }, /OTEL_TRACES_SAMPLER value "some" invalid/],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, /OTEL_TRACES_SAMPLER_ARG/],
  [share('parentbased_traceidratio', '7'), /OTEL_TRACES_SAMPLER_ARG=7/],
  [share('traceidratio', 'a'), /OTEL_TRACES_SAMPLER_ARG/],
])('[the sampler decides] where it makes no sense that is told, and all are kept: %j', async (env, reason) => {
  const { tracer, told } = tracerWith(env)
  tracer.begin({ name: 'request' }).within(() => expect(tracer.isSampled()).toBe(true))
  expect(told.join('\n')).toMatch(reason)
  await tracer.close()
})

test('a step tells when it was, what it was part of, and how it went', async () => {
  const { exporter, spans } = collecting()
  const { tracer } = tracerWith({ OTEL_SERVICE_NAME: 'salon', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }, () => exporter)
  const before = Date.now()
  const request = tracer.begin({ name: 'request', kind: 'server', parent: kept() })
  const attributes = { shared: 'x' }
  await request.within(async () => {
    const [failed, done] = [tracer.begin({ name: 'failed', attributes }), tracer.begin({ name: 'done', attributes })]
    await pass(20)
    failed.note({ outcome: 'bad', unknown: undefined, status: 503 })
    failed.end(true)
    done.end()
  })
  request.end()
  const after = Date.now()
  await tracer.close()
  const [failed, done, whole] = spans
  expect(failed).toMatchObject({ name: 'failed', kind: 0, status: { code: 2 } })
  expect(failed?.attributes).toEqual({ shared: 'x', outcome: 'bad', status: 503 })
  expect(done).toMatchObject({ name: 'done', status: { code: 0 }, attributes: { shared: 'x' } })
  expect(done?.attributes).toEqual({ shared: 'x' })
  expect(whole?.kind).toBe(1)
  expect(whole?.spanContext().traceId).toBe(SMALL)
  expect(whole?.parentSpanContext).toMatchObject({ spanId: 'b'.repeat(16), isRemote: true })
  expect(failed?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId)
  expect(failed?.parentSpanContext?.isRemote ?? false).toBe(false)
  expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(3)
  const ms = ([seconds, nanos]: [number, number]) => seconds * 1_000 + nanos / 1e6
  for (const { startTime, endTime } of spans) {
    expect(ms(startTime)).toBeGreaterThanOrEqual(before - 1)
    expect(ms(endTime) - ms(startTime)).toBeGreaterThanOrEqual(19)
    expect(ms(endTime)).toBeLessThanOrEqual(after + 2)
  }
  expect(whole?.resource.attributes).toMatchObject({ 'service.name': 'salon', a: 'b' })
})

test('a span that ended ignores attributes without a warning', async () => {
  const { exporter, spans } = collecting()
  const { tracer, told } = tracerWith({}, () => exporter)
  const span = tracer.begin({ name: 'request' })
  span.end()
  span.note({ late: 1 })
  await tracer.close()
  expect(spans.map(({ attributes }) => attributes)).toEqual([{}])
  expect(told).toEqual([])
})

test.each([
  [{ OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3' }, { one: 'val', two: 'val', three: 7 }, 0],
  [
    { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3' },
    { one: 'valu', two: 'valu', three: 7 },
    0,
  ],
  [{ OTEL_ATTRIBUTE_COUNT_LIMIT: '2' }, { one: 'value', two: 'value' }, 1],
  [{ OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '1', OTEL_ATTRIBUTE_COUNT_LIMIT: '2' }, { one: 'value' }, 2],
])('attributes are bounded as is set: %j', async (env, expected, dropped) => {
  const { exporter, spans } = collecting()
  const { tracer } = tracerWith(env, () => exporter)
  const step = tracer.begin({ name: 'step', attributes: { one: 'value' } })
  step.note({ two: 'value', three: 7 })
  step.end()
  await tracer.close()
  expect(spans[0]?.attributes).toEqual(expected)
  expect(spans[0]?.droppedAttributesCount).toBe(dropped)
})

test.each([
  ['what is said', { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' }, 5, 10],
  ['what is said of the queue alone', { OTEL_BSP_MAX_QUEUE_SIZE: '10' }, 10, 10],
  ['what a busy server makes in a second', {}, 1_024, 8_192],
  ['what is said of a batch alone', { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '100' }, 100, 8_192],
])(
  '[a collector keeps nobody waiting] what it does not take is dropped beyond %s, and that is told',
  async (_, env, batch, most) => {
    const { exporter, spans, hold, release } = collecting()
    const { tracer, told } = tracerWith(env, () => exporter)
    hold()
    for (let step = 0; step < 11_000; step++) tracer.begin({ name: `step ${step}` }).end()
    expect(spans).toHaveLength(batch)
    release()
    await expect.poll(() => spans.length).toBe(batch + most)
    tracer.begin({ name: 'later' }).end()
    await tracer.close()
    expect(spans).toHaveLength(batch + most + 1)
    expect(told).toEqual([`Dropped ${11_000 - batch - most} spans because maxQueueSize reached`])
  },
)

const senseless = ['-1', '0.5', 'Infinity']
const sizes = ['OTEL_BSP_MAX_QUEUE_SIZE', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE']
const limits = ['OTEL_ATTRIBUTE_COUNT_LIMIT', 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT']
test.each([
  ...sizes.flatMap((name) => ['0', ...senseless].map((said) => ({ name, said, least: 1 }))),
  ...limits.flatMap((name) => senseless.map((said) => ({ name, said, least: 0 }))),
])('[a collector keeps nobody waiting] that $name is not $said is told, and steps are sent whole', async (one) => {
  const { name, said, least } = one
  const { exporter, spans } = collecting()
  const { tracer, told } = tracerWith({ [name]: said }, () => exporter)
  tracer.begin({ name: 'step', attributes: { one: 'value' } }).end()
  await tracer.close()
  expect(spans.map(({ attributes }) => attributes)).toEqual([{ one: 'value' }])
  expect(told).toEqual([expect.stringContaining(`${name}=${said} is not a whole number of at least ${least}`)])
})

test('what was gathered is sent when the server ends', async () => {
  const { exporter, spans } = collecting()
  const { tracer } = tracerWith({ OTEL_BSP_SCHEDULE_DELAY: '60000' }, () => exporter)
  for (let step = 0; step < 1_000; step++) tracer.begin({ name: 'step' }).end()
  await tracer.close()
  expect(spans).toHaveLength(1_000)
})

const refusing = (status: number) =>
  createHttpServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end())
  })

const conducts = [
  { conduct: 'refuses', serve: () => refusing(400), reason: /Bad Request/ },
  { conduct: 'has too much to do', serve: () => refusing(503), reason: /retryable/ },
  {
    conduct: 'freezes',
    serve: () => createServer((socket) => void socket.on('error', () => {}).resume()),
    reason: /timed out|Timeout/i,
  },
  { conduct: 'is gone', serve: undefined, reason: /ECONNREFUSED/ },
]
test.each(conducts)(
  '[a collector keeps nobody waiting] one that $conduct is told of, and is not waited for at the end',
  async ({ serve, reason }) => {
    const sockets = new Set<Socket>()
    const server = serve?.() ?? createServer()
    server.on('connection', (socket) => void sockets.add(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    if (!serve) await new Promise((closed) => server.close(closed))
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    }
    const { tracer, told } = tracerWith(env, protobufExporter)
    tracer.begin({ name: 'step' }).end()
    await expect.poll(() => told.join(), { timeout: 5_000 }).toMatch(reason)
    tracer.begin({ name: 'step' }).end()
    const begun = performance.now()
    await tracer.close()
    expect(performance.now() - begun).toBeLessThan(3_000)
    for (const socket of sockets) socket.destroy()
    server.close()
  },
)

test('[steps in protobuf] reach the collector that the variables of OpenTelemetry name', async () => {
  const collector = createHttpServer().listen(0, '127.0.0.1')
  onTestFinished(() => void collector.close())
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
  }
  const { exporter: memory, spans } = collecting()
  const { tracer } = tracerWith(env, () => memory)
  for (const parent of [undefined, kept(), kept(BIG)]) tracer.begin({ name: 'Straße', parent }).end()
  await tracer.close()
  const exporter = protobufExporter()
  const exported = new Promise((resolve) => exporter.export(spans, resolve))
  const [request, response] = await once(collector, 'request')
  const body = Buffer.concat(await request.toArray())
  response.end()
  expect(request).toMatchObject({
    url: '/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', 'x-key': 'secret' },
  })
  expect(spans).toHaveLength(3)
  expect(body.equals(ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array())).toBe(true)
  expect(await exported).toMatchObject({ code: 0 })
  await exporter.shutdown()
})

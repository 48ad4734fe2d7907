import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTelemetry } from '../../src/infra/telemetry/open-telemetry/open-telemetry.ts'
import { protobufExporter } from '../../src/infra/telemetry/open-telemetry/protobuf-exporter.ts'
import { encodeSpans } from '../../src/infra/telemetry/open-telemetry/spans-to-protobuf.ts'
import type { Attributes, SpanStart } from '../../src/infra/telemetry/tracing.ts'
import { random } from '../race/random.ts'

const { pick } = random(42)
const texts = [
  '',
  'POST',
  'usp.operation',
  'Straße',
  '预约',
  '😀',
  'x'.repeat(32),
  'x'.repeat(33),
  'é'.repeat(100),
  'y'.repeat(70_000),
]
const numbers = [0, 1, 127, 128, 200, 503, 16_383, 16_384, 2 ** 32, Number.MAX_SAFE_INTEGER]
const parents = [undefined, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-01`]

const anyAttributes = (most: number): Attributes =>
  Object.fromEntries(Array.from({ length: most }, (_, index) => [`name.${index}`, pick([...texts, ...numbers])]))

/** What an exporter is given of so many steps of all kinds. */
async function told(count: number): Promise<ReadableSpan[]> {
  const all: ReadableSpan[] = []
  const exporter: SpanExporter = {
    export(steps, done) {
      all.push(...steps)
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  const tracer = openTelemetry(exporter, pino({ level: 'silent' }))
  for (let index = 0; index < count; index++) {
    const kind = pick<SpanStart['kind']>(['server', 'client', 'producer', undefined])
    const step = tracer.begin({ name: pick(texts) ?? '', parent: pick(parents), ...(kind && { kind }) })
    step.note(anyAttributes(index % 9))
    step.end(index % 3 === 0)
  }
  await tracer.close()
  return all
}

test('[steps in protobuf] are the bytes that the SDK makes of them', async () => {
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', `deployment.environment.name=Süd,much=${'z'.repeat(20_000)}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const steps = await told(300)
  expect(steps).toHaveLength(300)
  expect(
    Buffer.from(encodeSpans(steps)).equals(Buffer.from(ProtobufTraceSerializer.serializeRequest(steps) ?? [])),
  ).toBe(true)
  // What was written before is not what is written now.
  expect(Buffer.from(encodeSpans(steps)).equals(encodeSpans(steps))).toBe(true)
})

test('[steps in protobuf] reach the collector that the variables of OpenTelemetry name', async () => {
  const collector = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void collector.close())
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const steps = await told(3)
  const exporter = protobufExporter()
  const exported = new Promise((resolve) => exporter.export(steps, resolve))
  const [request, response] = await once(collector, 'request')
  const body = Buffer.concat(await request.toArray())
  response.end()
  expect(request).toMatchObject({
    url: '/v1/traces',
    headers: { 'content-type': 'application/x-protobuf', 'x-key': 'secret' },
  })
  expect(body.equals(encodeSpans(steps))).toBe(true)
  expect(await exported).toMatchObject({ code: 0 })
  await exporter.shutdown()
})

test('[steps in protobuf] none are nothing', () => {
  expect(encodeSpans([])).toHaveLength(0)
})

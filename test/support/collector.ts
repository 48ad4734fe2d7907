import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Collected {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status: { code?: number }
  attributes: Record<string, string | number>
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<Collected, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

/** An OpenTelemetry collector for OTLP over HTTP, as JSON. */
export async function testCollector() {
  const spans: Collected[] = []
  const resources: Record<string, string | number>[] = []
  const texts: string[] = []
  const named = (attributes: Attribute[]) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    texts.push(`${request.url} ${text}`)
    const { resourceSpans }: Sent = JSON.parse(text)
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(named(resource.attributes))
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        spans.push({ ...span, attributes: named(span.attributes) })
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, resources, texts }
}

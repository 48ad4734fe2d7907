import { beforeEach, describe, expect, test } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { sampleOf } from '../support/samples.ts'
import { type Answer, serverWithAllInterfaces, type TestServer } from '../support/server.ts'

const ONE_A_MINUTE = { catalogue: 1, availability: 1, other: 1, visitors: { calls: 1 } }
const definition = { ...businessWith([service('svc_a')]), registry: { enabled: true } }
const server = await serverWithAllInterfaces({ ...definition, limits: ONE_A_MINUTE })
const ofMessages = await serverWithAllInterfaces({ ...definition, limits: { messages: 1 } })

/** Two addresses of one subscriber, who has a /56, and one of the next. */
const [first, sameNetwork, nextNetwork] = ['2001:db8:1:1200::1', '2001:db8:1:12ff:ffff::2', '2001:db8:1:1300::1']

beforeEach(async () => {
  for (const { runtime } of [server, ofMessages]) await runtime.db.deleteFrom('rate_limits').execute()
})

async function expectCountedByNetwork(ask: (remoteAddress: string) => Promise<Answer>) {
  const isRefused = async (address: string) => {
    const { status, body } = await ask(address)
    return status === 429 || body.error?.data?.code === 'rate_limited'
  }
  expect([await isRefused(first), await isRefused(sameNetwork), await isRefused(nextNetwork)]).toEqual([
    false,
    true,
    false,
  ])
}

const json = (payload: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  payload: JSON.stringify(payload),
})

const rpc = (to: TestServer, url: string, method: string, params: object) => (remoteAddress: string) =>
  to.raw({ ...json({ jsonrpc: '2.0', id: 1, method, params }), url, remoteAddress })

describe('[one subscriber is one network] of IPv6, a public read is counted by network', () => {
  const reads = operations.filter(({ access }) => access === 'public')

  test.each(reads)('over REST: $id', async (operation) => {
    const { method, path, parameters, inBody } = restRouteOf(operation)
    const input = sampleOf(operation)
    const url = `/usp/v1${path.replace(/\{(\w+)\}/g, (_, name) => String(input[name]))}`
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !parameters.includes(name)))
    await expectCountedByNetwork((remoteAddress) =>
      server.raw({ ...(inBody ? json(rest) : {}), method, url, remoteAddress }),
    )
  })

  test.each(reads)('over MCP: $id', async (operation) => {
    const call = { name: operation.tool, arguments: sampleOf(operation) }
    await expectCountedByNetwork(rpc(server, '/usp/mcp', 'tools/call', call))
  })

  test.each([
    '/.well-known/usp',
    '/.well-known/http-message-signatures-directory',
    '/services.jsonld',
    '/book',
    '/book/svc_a',
  ])('as a page or a document: %s', async (url) => {
    await expectCountedByNetwork((remoteAddress) => server.raw({ method: 'GET', url, remoteAddress }))
  })

  test.each(['/usp/mcp', '/mcp'])('as a message to %s', async (url) => {
    await expectCountedByNetwork(rpc(ofMessages, url, 'ping', {}))
  })
})

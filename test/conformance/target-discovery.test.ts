import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { discoverTarget } from '../../packages/conformance/target/target.ts'

const endpoint = 'https://book.example/usp/v1'
const authorization = { accepted_mechanisms: ['http_message_signature'] }
const capabilities = { 'dev.usp-protocol.services.bookings': [{ version: '2026-08-20' }] }
const scheduling = { transport: 'rest', endpoint, version: '2026-08-20' }
const business = { name: 'A business' }

const standalone = {
  usp: { version: '2026-08-20', services: { 'dev.usp-protocol.services': [scheduling] }, capabilities, business },
  authorization,
}
const native = {
  ucp: {
    version: '2026-08-25',
    services: {
      'dev.usp-protocol.services': [{ ...scheduling, config: { authorization } }],
      'dev.ucp.shopping': [{ transport: 'rest', endpoint: 'https://book.example/ucp/v1/' }],
    },
    capabilities: { ...capabilities, 'dev.ucp.shopping.checkout': [{ version: '2026-08-25' }] },
    business,
  },
}

const closing: (() => unknown)[] = []
afterEach(() => closing.splice(0).map((close) => close()))

async function serving(documents: Record<string, object>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const document = documents[url]
    response.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['a profile of this protocol', { '/.well-known/usp': standalone }, 'standalone'],
  ['a profile of UCP alone', { '/.well-known/ucp': native }, 'ucp_native'],
  ['both profiles', { '/.well-known/usp': standalone, '/.well-known/ucp': native }, 'standalone'],
])('[conformance suite] reads a business with %s', async (_, documents, mode) => {
  const origin = await serving(documents)
  const target = await discoverTarget(origin)
  expect(target).toMatchObject({ mode, version: '2026-08-20', business, bindings: ['rest'] })
  expect(target.profileUrl).toBe(`${origin}/.well-known/${mode === 'standalone' ? 'usp' : 'ucp'}`)
  expect(target.endpoint('rest')).toBe(endpoint)
  expect(target.mechanisms).toEqual(['http_message_signature'])
  expect(target.capability('services.bookings')).toEqual({ version: '2026-08-20' })
})

test('[conformance suite] knows the checkout of a business in the mode UCP-Native', async () => {
  const target = await discoverTarget(await serving({ '/.well-known/ucp': native }))
  expect(target.capability('dev.ucp.shopping.checkout')).toEqual({ version: '2026-08-25' })
  expect(target.checkoutEndpoint('rest')).toBe('https://book.example/ucp/v1')
  expect(target.checkoutEndpoint('mcp')).toBeUndefined()
  expect(target.ownCapabilities).toEqual(['dev.usp-protocol.services.bookings'])
})

test.each([
  ['no profile', {}, 'ucp answers HTTP 404.'],
  [
    'a profile of UCP without scheduling',
    { '/.well-known/ucp': { ucp: { services: {} } } },
    'ucp has no service dev.usp-protocol.services.',
  ],
])('[conformance suite] refuses a business with %s', async (_, documents, fault) => {
  const refused = discoverTarget(await serving(documents))
  await expect(refused).rejects.toThrow(fault)
  await expect(refused).rejects.toThrow('usp answers HTTP 404.')
})

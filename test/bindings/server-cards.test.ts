import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Shop, testShop } from '../support/desk.ts'
import published from '../support/mcp/server-card.schema.json' with { type: 'json' }
import { ucpDefinition } from '../ucp-checkouts/ucp-shop.ts'

const ORIGIN = 'https://book.example'
const open = (definition: BusinessDefinition) => testShop(definition, { env: { BASE_URL: ORIGIN } })
const standalone = await open(businessWith([service('svc_one')]))
const native = await open(ucpDefinition([service('svc_one')]))
const NEWEST = '2026-07-28'
const CATALOGUES = ['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json']
const endpoints = [
  { path: '/mcp', name: 'booking', shop: standalone },
  { path: '/usp/mcp', name: 'scheduling', shop: standalone },
  { path: '/usp/mcp', name: 'scheduling', shop: native },
  { path: '/ucp/mcp', name: 'checkout', shop: native },
]

const fitsPublished = formats
  .default(new Ajv2020({ strict: false, allErrors: true }))
  .addSchema(published, 'published')
  .compile({ $ref: 'published#/$defs/ServerCard' })

const get = (shop: Shop, url: string, headers = {}) => shop.raw({ method: 'GET', url, headers })

const entry = ({ path, name }: (typeof endpoints)[number]) => ({
  identifier: `urn:air:book.example:mcp:${name}`,
  type: 'application/mcp-server-card+json',
  url: `${ORIGIN}${path}/server-card`,
})

test.each(CATALOGUES)('%s lists a card for each open MCP endpoint', async (path) => {
  const entries = (of: Shop) => endpoints.filter(({ shop }) => shop === of).map(entry)
  const { status, headers, body } = await get(standalone, path, { origin: 'https://assistant.example' })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/ai-catalog+json',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
  })
  expect(body).toEqual({ specVersion: '1.0', entries: entries(standalone) })
  expect((await get(native, path)).body.entries).toEqual(entries(native))
})

describe.each(endpoints)('the card of $path', ({ path, name, shop }) => {
  test('has the form of a server card', async () => {
    const { status, headers, body } = await get(shop, `${path}/server-card`, {
      accept: 'application/mcp-server-card+json',
    })
    const card = body
    expect([status, headers['content-type']]).toEqual([200, 'application/mcp-server-card+json'])
    expect(card).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: `example.book/${name}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      title: 'Test Studio',
      description: expect.any(String),
      websiteUrl: expect.stringContaining(ORIGIN),
      remotes: [{ type: 'streamable-http', url: ORIGIN + path, supportedProtocolVersions: expect.any(Array) }],
    })
    expect(fitsPublished(card) ? [] : fitsPublished.errors).toEqual([])
    expect(headers['cache-control']).toBe('public, max-age=3600')
    expect(card.remotes[0].supportedProtocolVersions).toContain(NEWEST)
  })

  test('is sent again only if it has changed, and to pages of any origin', async () => {
    const { headers } = await get(shop, `${path}/server-card`)
    expect(headers['access-control-allow-origin']).toBe('*')
    const again = await get(shop, `${path}/server-card`, { 'if-none-match': headers.etag })
    expect(again.status).toBe(304)
    const refused = await shop.raw({ method: 'POST', url: `${path}/server-card` })
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('says of itself what the server says at its endpoint', async () => {
    const { body } = await get(shop, `${path}/server-card`)
    const { name: named, version, remotes } = body
    for (const protocolVersion of remotes[0].supportedProtocolVersions.filter((one: string) => one < '2026-07')) {
      const clientInfo = { name: 'test', version: '1' }
      const params = { protocolVersion, capabilities: {}, clientInfo }
      const answer = await shop.raw({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      })
      expect(answer.body.result).toMatchObject({ protocolVersion, serverInfo: { name: named, version } })
    }
  })

  test('says of itself what the server says in the newest revision, which has no initialize', async () => {
    const { body: card } = await get(shop, `${path}/server-card`)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const answer = await shop.raw({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': NEWEST,
        'mcp-method': 'server/discover',
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }),
    })
    const serverInfo = { name: card.name, version: card.version }
    expect(answer.body.result).toMatchObject({ _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } })
    const [{ supportedProtocolVersions }] = card.remotes
    expect(supportedProtocolVersions).toEqual(expect.arrayContaining(answer.body.result.supportedVersions))
  })
})

test('a closed endpoint has no card and no entry', async () => {
  for (const [shop, path] of [
    [native, '/mcp'],
    [standalone, '/ucp/mcp'],
  ] as const)
    expect((await get(shop, `${path}/server-card`)).status).toBe(404)
  await standalone.apply(businessWith([service('svc_one')], { website: { enabled: true, assistants: false } }))
  await expect.poll(async () => (await get(standalone, '/mcp/server-card')).status, { timeout: 5000 }).toBe(404)
  const { body } = await get(standalone, '/.well-known/ai-catalog.json')
  expect(body.entries.map(({ url }: { url: string }) => url)).toEqual([`${ORIGIN}/usp/mcp/server-card`])
})

import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { CALLBACK, changed, digestOf, ORIGIN, type Outgoing, published, signed, stored } from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const declared = { mechanism: 'http_message_signature' }

const toolCall = (usp: object = {}, wish: object = {}): Outgoing => {
  const meta = { usp: { profile: platform.url, ...usp } }
  const params = { name: 'usp_services_feed_subscribe', arguments: { callback_url: CALLBACK, ...wish, _meta: meta } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', 'content-digest': digestOf(body) }
  return { method: 'POST', target: '/usp/mcp', headers, body }
}
const sign = (outgoing: Outgoing, parameters = ';keyid="k1"') => signed(outgoing, { key: key.private, parameters })
const raw = ({ method, target, headers, body }: Outgoing) =>
  server.raw({ method, url: target, headers: { host: new URL(ORIGIN).host, ...headers }, payload: body })
const refused = async (outgoing: Outgoing) => {
  const before = await stored(server)
  const { status, body } = await raw(outgoing)
  expect(status).toBe(200)
  expect(await stored(server)).toEqual(before)
  return [body.error.code, body.error.data.code, body.error.data.mechanism]
}
const mechanism = 'http_message_signature'

test('[SIG-043] [MCP-037] the signature of the POST authenticates the tool call, with a key of the profile in _meta', async () => {
  for (const outgoing of [toolCall(), toolCall({ authorization: declared })]) {
    const { body } = await raw(sign(outgoing))
    const { id, status } = body.result.structuredContent.subscription
    expect(status).toBe('active')
    const row = await server.runtime.db
      .selectFrom('feed_subscriptions')
      .select(['principal', 'profile'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ principal: `key:${key.thumbprint}`, profile: platform.url })
  }
})

test('[SIG-043] the profile of _meta counts, whatever a header says', async () => {
  const other = await testPlatform({ keys: [published('k1', testKey())] })
  const agent = { 'usp-agent': `profile="${other.url}"` }
  expect((await raw(sign(changed(toolCall(), agent)))).body.result.structuredContent.subscription.status).toBe('active')
  expect(await refused(sign(toolCall({ profile: other.url })))).toEqual([-32006, 'signature_invalid', mechanism])
})

test('[MCP-040] [ERR-059] a declared signature that did not come is missing', async () => {
  const calls = [
    toolCall({ authorization: declared }),
    changed(toolCall({ authorization: declared }), { 'content-digest': undefined }),
  ]
  for (const outgoing of calls) {
    expect(await refused(outgoing)).toEqual([-32006, 'signature_missing', mechanism])
    expect(await refused(changed(outgoing, { authorization: 'Bearer usp_key' }))).toEqual([
      -32006,
      'signature_missing',
      mechanism,
    ])
  }
})

test('[SIG-044] a signature that leaves the arguments open counts as none', async () => {
  const components = ['@method', '@authority', '@path', 'content-type']
  const open = signed(toolCall(), { key: key.private, parameters: ';keyid="k1"', components })
  expect(await refused(open)).toEqual([-32006, 'signature_missing', mechanism])
  const without = changed(toolCall(), { 'content-digest': undefined })
  expect(await refused(sign(without))).toEqual([-32006, 'signature_missing', mechanism])
})

describe('what goes wrong has the code it has on REST', () => {
  const other = toolCall({}, { callback_url: `${CALLBACK}/2` })
  test.each<[string, Outgoing, number, string, string | undefined]>([
    ['ERR-059', changed(sign(toolCall()), { signature: undefined }), -32006, 'signature_missing', mechanism],
    [
      'ERR-060',
      changed(sign(toolCall()), { 'content-type': 'application/json; a=b' }),
      -32006,
      'signature_invalid',
      mechanism,
    ],
    [
      'ERR-060',
      { ...other, headers: { ...sign(toolCall()).headers, 'content-digest': digestOf(other.body) } },
      -32006,
      'signature_invalid',
      mechanism,
    ],
    ['ERR-061', sign(toolCall(), ';keyid="k2"'), -32006, 'key_not_found', mechanism],
    ['ERR-062', sign(toolCall(), ';expires=1;keyid="k1"'), -32006, 'signature_expired', mechanism],
    ['ERR-063', { ...sign(toolCall()), body: other.body }, -32600, 'digest_mismatch', undefined],
  ])('[%s] [ERR-065] as a JSON-RPC error with the code in data: %#', async (_, outgoing, rpc, code, named) => {
    expect(await refused(outgoing)).toEqual([rpc, code, named])
  })

  test('[ERR-064] algorithm_unsupported is -32600', async () => {
    const odd = await testPlatform({ keys: [{ kid: 'k1', kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' }] })
    expect((await refused(sign(toolCall({ profile: odd.url })))).slice(0, 2)).toEqual([-32600, 'algorithm_unsupported'])
  })
})

test('[SIG-043] a signature for a REST route is none for the tool', async () => {
  const values = { '@path': '/usp/v1/services/feed/subscriptions' }
  const foreign = signed(toolCall(), { key: key.private, parameters: ';keyid="k1"', values })
  expect(await refused(foreign)).toEqual([-32006, 'signature_invalid', mechanism])
})

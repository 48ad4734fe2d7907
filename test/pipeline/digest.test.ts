import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import {
  CALLBACK,
  changed,
  digestOf,
  neededComponents,
  ORIGIN,
  type Outgoing,
  published,
  SUBSCRIPTIONS,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const sign = (outgoing: Outgoing) => signed(outgoing, { key: key.private, parameters: ';keyid="k1"' })
const other = JSON.stringify({ callback_url: `${CALLBACK}/of-somebody-else` })

const refused = async (outgoing: Outgoing) => {
  const before = await stored(server)
  const { status, body } = await send(server, outgoing)
  expect(await stored(server)).toEqual(before)
  return [status, body.code]
}
const mismatch = [400, 'digest_mismatch']

test('[SIG-020] [ERR-063] a body other than the digested one is refused', async () => {
  expect(await refused({ ...sign(subscribing(platform)), body: other })).toEqual(mismatch)
})

test('[SIG-021] replacing the body and its digest together breaks the signature', async () => {
  const both = changed({ ...sign(subscribing(platform)), body: other }, { 'content-digest': digestOf(other) })
  expect(await refused(both)).toEqual([401, 'signature_invalid'])
})

test('[SIG-022] the digest is that of the bytes, not of what they mean', async () => {
  const plain = subscribing(platform)
  const value = JSON.parse(plain.body)
  for (const body of [JSON.stringify(value, null, 2), `${plain.body}\n`, plain.body.replaceAll('/', '\\/')])
    expect(await refused({ ...sign(plain), body })).toEqual(mismatch)
  const indented = JSON.stringify(value, null, 2)
  const own = changed({ ...plain, body: indented }, { 'content-digest': digestOf(indented) })
  expect((await send(server, sign(own))).status).toBe(201)
})

test.each([
  ['sha-512 alone', (body: string) => digestOf(body, 'sha-512')],
  ['an unknown algorithm alone', () => 'md5=:AAAA:'],
  ['an empty dictionary', () => ''],
  ['sha-256 as text', (body: string) => digestOf(body).replace('=:', '="').replace(/:$/, '"')],
  ['sha-256 as a flag', () => 'sha-256'],
  ['sha-256 in a list', (body: string) => `sha-256=(${digestOf(body).slice('sha-256='.length)})`],
  ['an empty sha-256', () => 'sha-256=::'],
  ['sha-256 cut short', (body: string) => `${digestOf(body).slice(0, 20)}:`],
  ['another case of its name', (body: string) => digestOf(body).replace('sha-256', 'SHA-256')],
  ['the older Digest form', (body: string) => digestOf(body).replaceAll(':', '')],
  ['base64url where base64 belongs', () => 'sha-256=:-_-_:'],
  ['no structured field', () => ':::'],
  ['a right value and after it a wrong one', (body: string) => `${digestOf(body)}, ${digestOf(other)}`],
])('[SIG-023] a Content-Digest of %s is a mismatch, signed or not', async (_, make) => {
  const plain = subscribing(platform)
  const header = { 'content-digest': make(plain.body) }
  expect(await refused(sign(changed(plain, header)))).toEqual(mismatch)
  expect(await refused(changed(plain, header))).toEqual(mismatch)
})

test.each([
  ['a right sha-512', (body: string) => digestOf(body, 'sha-512')],
  ['an unknown algorithm', () => 'sha-1024=:AAAA:'],
  ['an old algorithm', () => 'md5=:AAAA:, unixsum=:AAAA:'],
])('[SIG-023] %s beside sha-256 is ignored', async (_, more) => {
  const plain = subscribing(platform)
  for (const digests of [
    [digestOf(plain.body), more(plain.body)],
    [more(plain.body), digestOf(plain.body)],
  ]) {
    const { status, body } = await send(server, sign(changed(plain, { 'content-digest': digests.join(', ') })))
    expect([status, body.code]).toEqual([201, undefined])
  }
})

test('a wrong sha-512 beside a right sha-256 is refused: a digest that is sent is checked', async () => {
  const plain = subscribing(platform)
  const header = { 'content-digest': `${digestOf(plain.body)}, ${digestOf(other, 'sha-512')}` }
  expect(await refused(sign(changed(plain, header)))).toEqual(mismatch)
})

test('[SIG-024] a wrong digest is refused whatever else proves the caller', async () => {
  const prover = testKey()
  const keyless = await testPlatform()
  const plain = subscribing(keyless)
  const proved = () => changed(plain, { dpop: restProof(prover, 'POST', `${ORIGIN}${SUBSCRIPTIONS}`, START) })
  expect(await refused(changed(proved(), { 'content-digest': digestOf(other) }))).toEqual(mismatch)
  expect((await send(server, proved())).status).toBe(201)
})

test('[SIG-024] [ERR-063] over MCP a wrong digest is -32600, whatever else proves the caller', async () => {
  const keyless = await testPlatform()
  const tool = 'usp_services_feed_subscribe'
  const input = { callback_url: CALLBACK, _meta: { usp: { profile: keyless.url } } }
  const proof = toolProof(testKey(), tool, input, START)
  const usp = { profile: keyless.url, authorization: { mechanism: 'platform_key_pop', proof } }
  const params = { name: tool, arguments: { ...input, _meta: { usp } } }
  const payload = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  const call = (digest: string) =>
    server.raw({
      method: 'POST',
      url: '/usp/mcp',
      headers: { 'content-type': 'application/json', 'content-digest': digest },
      payload,
    })
  const { body } = await call(digestOf(other))
  expect([body.error.code, body.error.data.code]).toEqual([-32600, 'digest_mismatch'])
  expect((await call(digestOf(payload))).body.result.structuredContent.subscription.status).toBe('active')
})

test('[SIG-020] an empty body has a digest too, and one of something else does not pass for it', async () => {
  const { body: made } = await send(server, sign(subscribing(platform)))
  const pause: Outgoing = {
    method: 'POST',
    target: `${SUBSCRIPTIONS}/${made.subscription.id}/pause`,
    headers: { 'usp-agent': `profile="${platform.url}"`, 'content-digest': digestOf('') },
    body: '',
  }
  expect(neededComponents(pause)).toContain('content-digest')
  expect(await refused(sign(changed(pause, { 'content-digest': digestOf(other) })))).toEqual(mismatch)
  expect((await send(server, sign(pause))).body.subscription.status).toBe('paused')
})

test.each(['sha-256', 'sha-512'] as const)('[SIG-020] every byte of a %s digest counts', async (algorithm) => {
  const plain = subscribing(platform)
  const right = digestOf(plain.body, algorithm)
  const bytes = Buffer.from(right.slice(right.indexOf(':') + 1, -1), 'base64')
  const beside = algorithm === 'sha-256' ? '' : `${digestOf(plain.body)}, `
  for (const nth of [0, 1, bytes.length / 2, bytes.length - 2, bytes.length - 1]) {
    const wrong = Buffer.from(bytes)
    wrong[nth] = (wrong[nth] ?? 0) ^ 1
    const digest = `${beside}${algorithm}=:${wrong.toString('base64')}:`
    expect(await refused(sign(changed(plain, { 'content-digest': digest })))).toEqual(mismatch)
  }
  const own = changed(plain, { 'content-digest': `${beside}${right}` })
  expect((await send(server, sign(own))).status).toBe(201)
})

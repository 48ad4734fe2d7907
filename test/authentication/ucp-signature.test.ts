import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type TestServer, testServer } from '../support/server.ts'
import {
  CALLBACK,
  changed,
  digestOf,
  neededComponents,
  ORIGIN,
  type Outgoing,
  published,
  reading,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const definition = businessWith([service('svc_a')])
const native = await testServer({ ...definition, deployment_mode: 'ucp_native' })
const standalone = await testServer(definition)
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const agent = `profile="${platform.url}"`

const sign = (outgoing: Outgoing, components?: string[]) =>
  signed(outgoing, { key: key.private, parameters: ';keyid="k1"', ...(components && { components }) })
const signedWithout = (outgoing: Outgoing, ...open: string[]) =>
  sign(
    outgoing,
    neededComponents(outgoing).filter((one) => !open.includes(one)),
  )
const named = (headers: Record<string, string | undefined>) => changed(subscribing(platform), headers)
const onlyUcp = () => named({ 'usp-agent': undefined, 'ucp-agent': agent })
const both = () => named({ 'ucp-agent': agent })

async function expectMissing(server: TestServer, outgoing: Outgoing, name: string) {
  const before = await stored(server)
  const { status, body } = await send(server, outgoing)
  expect([status, body.code]).toEqual([401, 'signature_missing'])
  expect(body.detail).toContain(name)
  expect(await stored(server)).toEqual(before)
}

test('[SIG-009] in UCP-native mode a signature that leaves ucp-agent open counts as none', async () => {
  await expectMissing(native, signedWithout(onlyUcp(), 'ucp-agent'), 'ucp-agent')
  expect((await send(native, sign(onlyUcp()))).status).toBe(201)
})

test('[SIG-009] [SIG-008] of two agent headers each must be covered', async () => {
  await expectMissing(native, signedWithout(both(), 'ucp-agent'), 'ucp-agent')
  await expectMissing(native, signedWithout(both(), 'usp-agent'), 'usp-agent')
  expect((await send(native, sign(both()))).status).toBe(201)
})

test('[SIG-009] an ucp-agent that is put in after signing makes the request unsigned', async () => {
  const alone = sign(subscribing(platform))
  await expectMissing(native, changed(alone, { 'ucp-agent': agent }), 'ucp-agent')
  const swapped = sign(onlyUcp())
  const elsewhere = await testPlatform({ keys: [published('k1', key)] })
  const { body } = await send(native, changed(swapped, { 'ucp-agent': `profile="${elsewhere.url}"` }))
  expect(body.code).toBe('signature_invalid')
})

test('[SIG-009] a component with a parameter covers ucp-agent no more than usp-agent', async () => {
  const components = neededComponents(onlyUcp()).map((one) => (one === 'ucp-agent' ? '"ucp-agent";sf' : one))
  await expectMissing(native, sign(onlyUcp(), components), 'ucp-agent')
})

test('[SIG-014] a GET named by UCP-Agent needs method, authority, path and that header alone', async () => {
  const { body } = await send(native, sign(onlyUcp()))
  const plain = changed(reading(platform, body.subscription.id), { 'usp-agent': undefined, 'ucp-agent': agent })
  expect(neededComponents(plain)).toEqual(['@method', '@authority', '@path', 'ucp-agent'])
  expect((await send(native, sign(plain))).body.subscription).toEqual(body.subscription)
  await expectMissing(native, signedWithout(plain, 'ucp-agent'), 'ucp-agent')
})

test('[SIG-009] in standalone mode ucp-agent is a header like any other, and may be left open', async () => {
  expect((await send(standalone, signedWithout(both(), 'ucp-agent'))).status).toBe(201)
  expect((await send(standalone, sign(both()))).status).toBe(201)
  await expectMissing(standalone, signedWithout(both(), 'usp-agent'), 'usp-agent')
})

test('[SIG-009] the same holds for a signed tool call, although the header names nobody there', async () => {
  const meta = { usp: { profile: platform.url } }
  const params = { name: 'usp_services_feed_subscribe', arguments: { callback_url: CALLBACK, _meta: meta } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  const headers = { 'content-type': 'application/json', 'content-digest': digestOf(body), 'ucp-agent': agent }
  const outgoing: Outgoing = { method: 'POST', target: '/usp/mcp', headers, body }
  const call = async (server: TestServer, { headers }: Outgoing) => {
    const own = { host: new URL(ORIGIN).host, ...headers }
    const answer = await server.raw({ method: 'POST', url: '/usp/mcp', headers: own, payload: body })
    return [answer.body.error?.code, answer.body.error?.data.code]
  }
  expect(await call(native, sign(outgoing))).toEqual([undefined, undefined])
  expect(await call(native, signedWithout(outgoing, 'ucp-agent'))).toEqual([-32006, 'signature_missing'])
  expect(await call(standalone, signedWithout(outgoing, 'ucp-agent'))).toEqual([undefined, undefined])
})

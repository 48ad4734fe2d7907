import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import {
  changed,
  neededComponents,
  type Outgoing,
  published,
  reading,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const parameters = ';created=1795176000;keyid="k1"'
const sign = (outgoing: Outgoing, components?: string[]) =>
  signed(outgoing, { key: key.private, parameters, ...(components && { components }) })
const without = (outgoing: Outgoing, name: string) => neededComponents(outgoing).filter((one) => one !== name)

/** Everything that a request can bring and that must be signed. */
const full = () => {
  const plain = changed(subscribing(platform), { 'idempotency-key': crypto.randomUUID() })
  return { ...plain, target: `${plain.target}?trace=1` }
}

test('[SIG-001] an ES256 signature over all that is required makes its key the caller', async () => {
  const { status, body } = await send(server, sign(full()))
  expect(status).toBe(201)
  const row = await server.runtime.db
    .selectFrom('feed_subscriptions')
    .select(['principal', 'profile'])
    .where('id', '=', body.subscription.id)
    .executeTakeFirst()
  expect(row).toEqual({ principal: `key:${key.thumbprint}`, profile: platform.url })
})

test.each([
  ['SIG-002', '@method'],
  ['SIG-003', '@authority'],
  ['SIG-004', '@path'],
  ['SIG-007', '@query'],
  ['SIG-008', 'usp-agent'],
  ['SIG-010', 'idempotency-key'],
  ['SIG-011', 'content-digest'],
  ['SIG-012', 'content-type'],
])('[%s] a signature that leaves out %s counts as none', async (_, name) => {
  const before = await stored(server)
  const { status, body, headers } = await send(server, sign(full(), without(full(), name)))
  expect([status, body.code]).toEqual([401, 'signature_missing'])
  expect(body.detail).toContain(name)
  expect(headers['www-authenticate']).toContain('Signature')
  expect(await stored(server)).toEqual(before)
  expect((await send(server, sign(full()))).status).toBe(201)
})

test('[SIG-005] @target-uri in place of @authority and @path leaves the request unsigned', async () => {
  for (const left of [['@authority', '@path'], ['@authority'], ['@path'], ['@authority', '@path', '@query']]) {
    const components = [...neededComponents(full()).filter((one) => !left.includes(one)), '@target-uri']
    const { status, body } = await send(server, sign(full(), components))
    expect([status, body.code]).toEqual([401, 'signature_missing'])
  }
})

test('[SIG-006] @target-uri and other components beside the required ones do no harm', async () => {
  const request = changed(full(), { accept: 'application/json' })
  for (const more of ['@target-uri', '@scheme', '@request-target', 'accept', '"@query-param";name="trace"']) {
    const values = { '"@query-param";name="trace"': '1' }
    const components = [more, ...neededComponents(request)]
    const outgoing = signed({ ...request }, { key: key.private, parameters, components, values })
    expect([more, (await send(server, changed(outgoing, {}))).body.code]).toEqual([more, undefined])
  }
})

test('[SIG-013] a body without Content-Digest is unprotected: the request counts as unsigned', async () => {
  const bare = changed(full(), { 'content-digest': undefined })
  const { status, body } = await send(server, sign(bare))
  expect([status, body.code]).toEqual([401, 'signature_missing'])
  const pretended = sign(bare, [...neededComponents(bare), 'content-digest'])
  expect((await send(server, pretended)).body.code).toBe('signature_invalid')
})

test('[SIG-014] a GET without query, body or Idempotency-Key needs method, authority, path and agent alone', async () => {
  const { body: made } = await send(server, sign(full()))
  const plain = reading(platform, made.subscription.id)
  expect(neededComponents(plain)).toEqual(['@method', '@authority', '@path', 'usp-agent'])
  expect((await send(server, sign(plain))).body.subscription).toEqual(made.subscription)
  for (const name of neededComponents(plain))
    expect((await send(server, sign(plain, without(plain, name)))).body.code).toBe('signature_missing')
})

test('[SIG-014] the order of the components is the signer’s own choice', async () => {
  expect((await send(server, sign(full(), neededComponents(full()).reverse()))).status).toBe(201)
})

test('[SIG-004] a component with a parameter is another component and covers nothing', async () => {
  for (const parameter of ['sf', 'bs', 'req', 'tr', 'key="profile"', 'name="x"', 'x-unknown']) {
    const components = neededComponents(full()).map((one) => (one === 'usp-agent' ? `"usp-agent";${parameter}` : one))
    const { status, body } = await send(server, sign(full(), components))
    expect([parameter, status, body.code]).toEqual([parameter, 401, 'signature_missing'])
  }
})

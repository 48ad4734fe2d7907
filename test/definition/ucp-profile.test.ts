import { describe, expect, test } from 'vitest'
import { isServed } from '../../src/protocol/capabilities.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { memberNames } from '../support/member-names.ts'
import { testOperation } from '../support/operation.ts'
import { isForPlatforms } from '../support/published-tools.ts'
import { testServer } from '../support/server.ts'
import { businessSchemas } from './ucp-schemas.ts'

const SERVICES = 'dev.usp-protocol.services'
const LOYALTY = 'com.example.services.loyalty'
const loyalty = {
  version: '2026-03-01',
  spec: 'https://docs.example.com/loyalty',
  schema: 'https://example.com/loyalty.json',
}
const plain: BusinessDefinition = businessWith([service('svc_a')], {
  locations: [{ id: 'loc_soho', name: 'Soho', address: '1 Soho Square, London' }],
  capabilities: { [LOYALTY]: [loyalty] },
  registry: { enabled: true },
  authorization: { accepted_mechanisms: ['http_message_signature', 'platform_key_pop', 'oauth2_bearer'] },
})
const native: BusinessDefinition = { ...plain, deployment_mode: 'ucp_native' }
const env = { BASE_URL: 'https://book.example' }
const schemas = businessSchemas()
const server = await testServer(native, { env })
const { body: profile, headers } = await server.rest('GET', '/.well-known/ucp')
const { body: standalone } = await (await testServer(plain, { env })).rest('GET', '/.well-known/usp')

test('[PRO-040] [LIV-101] the policy stands at config.authorization of each binding, and nowhere else', () => {
  const bindings: { transport: string; config: object }[] = profile.ucp.services[SERVICES]
  expect(bindings.map(({ transport }) => transport)).toEqual(['rest', 'mcp'])
  expect(Object.keys(profile.ucp.services).filter((name) => !name.startsWith('dev.usp-protocol.'))).toEqual([])
  for (const { config } of bindings) expect(config).toEqual({ authorization: standalone.authorization })
  const names = [...memberNames(profile)]
  for (const name of ['authorization', 'accepted_mechanisms', 'privileged_operations_require_authentication'])
    expect(names.filter((one) => one === name)).toHaveLength(bindings.length)
})

test('[PRO-040] the policy is that of a standalone profile, the token endpoint included', () => {
  expect(profile.ucp.services[SERVICES][0].config.authorization).toEqual({
    privileged_operations_require_authentication: true,
    accepted_mechanisms: ['http_message_signature', 'platform_key_pop', 'oauth2_bearer'],
    pop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
    token_endpoint: 'https://book.example/oauth/token',
  })
})

test('[PRO-040] without anything to authenticate for there is no policy', async () => {
  const open = await testServer(native, { operations: [testOperation('open')] })
  const { body } = await open.rest('GET', '/.well-known/ucp')
  expect([...memberNames(body)]).not.toContain('authorization')
})

test('its members are those of UCP, and nothing of USP stands beside them', () => {
  expect(Object.keys(profile).toSorted()).toEqual(['keys', 'ucp'])
  expect(Object.keys(profile.ucp).toSorted()).toEqual([
    'business',
    'capabilities',
    'payment_handlers',
    'services',
    'version',
  ])
  expect(profile.ucp.version).toBe('2026-08-25')
  expect(profile.keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256' })])
})

test('but for the policy it says what the standalone profile says', () => {
  const services = profile.ucp.services[SERVICES].map(({ config: _, ...binding }: { config: object }) => binding)
  expect(services).toEqual(standalone.usp.services[SERVICES])
  expect(profile.ucp.capabilities).toEqual(standalone.usp.capabilities)
  expect(profile.ucp.business).toEqual(standalone.usp.business)
})

test('[PRO-015] every capability entry has version, spec and schema', () => {
  const entries = Object.values<Record<string, string>[]>(profile.ucp.capabilities).flat()
  expect(entries.length).toBeGreaterThanOrEqual(3)
  for (const { version, spec = '', schema = '' } of entries) {
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect([new URL(spec).protocol, new URL(schema).protocol]).toEqual(['https:', 'https:'])
  }
})

test('[a UCP profile fits the business schema of the version it states]', () => {
  for (const [whose, fits] of schemas) expect(fits(profile), `${whose}: ${JSON.stringify(fits.errors)}`).toBe(true)
})

test.each<[string, (ucp: Record<string, unknown>) => void]>([
  ['payment handlers', (ucp) => delete ucp.payment_handlers],
  ['services', (ucp) => delete ucp.services],
  ['a capability by name', (ucp) => Object.assign(ucp, { capabilities: [{ name: LOYALTY, ...loyalty }] })],
  ['a version of a capability', (ucp) => Object.assign(ucp, { capabilities: { [LOYALTY]: [{}] } })],
  [
    'an endpoint',
    (ucp) => Object.assign(ucp, { services: { [SERVICES]: [{ version: '2026-08-20', transport: 'mcp' }] } }),
  ],
])('[a UCP profile fits the business schema of the version it states] which one without %s does not', (_, spoil) => {
  const document = structuredClone(profile)
  spoil(document.ucp)
  for (const [whose, fits] of schemas) expect(fits(document), whose).toBe(false)
})

test('no checkout is declared, since there is none', () => {
  const names = Object.keys({ ...profile.ucp.capabilities, ...profile.ucp.services })
  expect(names.filter((name) => /checkout|paid_bookings|^dev\.ucp\./.test(name))).toEqual([])
  expect(profile.ucp.payment_handlers).toEqual({})
})

test('[PRO-003] [PRO-004] anybody may keep it, for a minute at least', () => {
  expect(headers['cache-control']).toBe('public, max-age=300')
})

describe('one profile at a time:', () => {
  const statuses = async ({ raw }: typeof server) => {
    const answers = ['usp', 'ucp'].map((name) => raw({ method: 'GET', url: `/.well-known/${name}` }))
    return (await Promise.all(answers)).map(({ status, body }) => [status, body.code])
  }
  const onlyUsp = [
    [200, undefined],
    [404, 'not_found'],
  ]
  const onlyUcp = onlyUsp.toReversed()

  test('ucp_native has none at /.well-known/usp, standalone none at /.well-known/ucp', async () => {
    expect(await statuses(server)).toEqual(onlyUcp)
    expect(await statuses(await testServer({ ...plain, deployment_mode: 'standalone' }))).toEqual(onlyUsp)
  })

  test('a running server follows its definition, and keeps its keys', async () => {
    const changing = await testServer(plain)
    await expect.poll(() => statuses(changing)).toEqual(onlyUsp)
    const { keys } = (await changing.rest('GET', '/.well-known/usp')).body
    await changing.apply(native)
    await expect.poll(() => statuses(changing)).toEqual(onlyUcp)
    expect((await changing.rest('GET', '/.well-known/ucp')).body.keys).toEqual(keys)
    await changing.apply(plain)
    await expect.poll(() => statuses(changing)).toEqual(onlyUsp)
  })

  test('before a business is set up there is no UCP profile', async () => {
    expect(await statuses(await testServer())).toEqual([
      [503, 'service_unavailable'],
      [404, 'not_found'],
    ])
  })
})

test('[LIV-104] its endpoints serve every operation as those of a standalone business do', async () => {
  const [rest, mcp] = profile.ucp.services[SERVICES].map(
    ({ endpoint }: { endpoint: string }) => new URL(endpoint).pathname,
  )
  const listed = await server.raw({ method: 'POST', url: `${rest}/services/list` })
  expect(listed.body.services).toEqual([expect.objectContaining({ id: 'svc_a' })])
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const { body } = await server.raw({ method: 'POST', url: mcp, payload })
  const served = operations.filter((operation) => isForPlatforms(operation) && isServed(operation, native))
  expect(body.result.tools).toHaveLength(served.length)
})

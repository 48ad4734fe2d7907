import { describe, expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { memberNames } from '../support/member-names.ts'
import { testServer } from '../support/server.ts'
import { expectAccepted, expectFault, placesRefused } from './reading.ts'

const SERVICES = 'dev.usp-protocol.services'
const CATALOG = 'dev.usp-protocol.services.catalog'
const LOYALTY = 'com.example.services.loyalty'
const loyalty = {
  version: '2026-03-01',
  spec: 'https://docs.example.com/loyalty',
  schema: 'https://example.com/loyalty.json',
}
const definition: BusinessDefinition = businessWith(services(210), {
  locations: [
    { id: 'loc_soho', name: 'Soho', address: '1 Prince St', coordinates: { lat: 40.72, lng: -74 } },
    { id: 'loc_uptown', name: 'Uptown' },
  ],
  capabilities: { [LOYALTY]: [loyalty] },
})
const server = await testServer(definition, { env: { BASE_URL: 'https://book.example' } })

const profile = (await server.rest('GET', '/.well-known/usp')).body
const bindings: Record<string, string>[] = profile.usp.services[SERVICES]
const capabilities: [string, Record<string, string>[]][] = Object.entries(profile.usp.capabilities)

test('[PRO-008] it is of version 2026-08-20', () => {
  expect(profile.usp.version).toBe('2026-08-20')
})

test('[PRO-009] services are an object that holds lists of bindings', () => {
  expect(Object.keys(profile.usp.services)).toEqual([SERVICES])
  expect(bindings).toHaveLength(2)
})

test.each([
  ['[PRO-010]', 'rest', 'https://book.example/usp/v1'],
  ['[PRO-011]', 'mcp', 'https://book.example/usp/mcp'],
])('%s it has a %s binding', (_, transport, endpoint) => {
  expect(bindings.filter((binding) => binding.transport === transport)).toEqual([
    {
      version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      transport,
      endpoint,
      spec: expect.stringMatching(/^https:/),
      schema: expect.stringMatching(/^https:/),
    },
  ])
})

test('[LIV-105] A2A is not the only transport, and not among them', () => {
  expect(bindings.map(({ transport }) => transport)).toEqual(['rest', 'mcp'])
})

test('[PRO-013] no binding says how to authenticate', () => {
  for (const binding of bindings) expect(binding).not.toHaveProperty('authorization')
})

test('[PRO-014] what the protocol describes is described at its own origin', () => {
  const own = capabilities.filter(([name]) => name.startsWith('dev.usp-protocol.')).flatMap(([, entries]) => entries)
  const addresses = [...bindings, ...own].flatMap(({ spec = '', schema = '' }) => [spec, schema])
  expect(addresses.length).toBeGreaterThanOrEqual(6)
  expect(new Set(addresses.map((address) => new URL(address).origin))).toEqual(new Set(['https://usp-protocol.dev']))
})

test('[PRO-015] every capability has version, spec and schema', () => {
  expect(capabilities.length).toBeGreaterThanOrEqual(2)
  for (const [name, entries] of capabilities) {
    expect({ name, entries: entries.length }).not.toEqual({ name, entries: 0 })
    for (const { version, spec = '', schema = '' } of entries) {
      expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect([new URL(spec).protocol, new URL(schema).protocol]).toEqual(['https:', 'https:'])
    }
  }
})

describe('[PRO-016] a capability of the business itself', () => {
  const alone = businessWith([service('svc_one')])
  const named = (name: string, entry = loyalty) => ({ ...alone, capabilities: { [name]: [entry] } })

  test('is published as it was written', () => {
    expectAccepted(named(LOYALTY))
    expect(profile.usp.capabilities[LOYALTY]).toEqual([loyalty])
  })

  test.each(['spec', 'schema'] as const)('is refused with its %s at the origin of somebody else', (member) => {
    for (const address of ['https://usp-protocol.dev/x', 'https://notexample.com/x', 'https://example.com.evil.test/x'])
      expect(placesRefused(named(LOYALTY, { ...loyalty, [member]: address }))).toEqual([
        expect.stringMatching(new RegExp(`^capabilities.*\\b${member}$`)),
      ])
  })

  test.each(['dev.usp-protocol.services.loyalty', CATALOG, 'dev.usp-protocol.x', 'loyalty', 'com.loyalty'])(
    'is refused under the name %s',
    (name) => {
      expect(placesRefused(named(name))).not.toEqual([])
    },
  )
})

test('[PRO-025] the business has its name, time zone and currency', () => {
  const { name, timezone, currency } = profile.usp.business
  expect([name, timezone, currency]).toEqual(['Test Studio', 'America/New_York', 'USD'])
})

test.each([
  ['business.timezone', 'EST5 maybe'],
  ['business.timezone', 'Mars/Olympus'],
  ['business.currency', 'XXY'],
  ['business.currency', 'dollars'],
  ['business.name', ''],
])('[PRO-025] a business with %s "%s" is refused', (path, wrong) => {
  expectFault(businessWith([service('svc_one')]), path, wrong)
})

test('[PRO-026] locations have ids and names, and keep their ids when the profile changes', async () => {
  const locations = [
    { id: 'loc_soho', name: 'Soho', address: '1 Prince St', coordinates: { lat: 40.72, lng: -74 } },
    { id: 'loc_uptown', name: 'Uptown' },
  ]
  expect(profile.usp.business.locations).toEqual(locations)
  const changing = await testServer(definition)
  const served = async () => (await changing.rest('GET', '/.well-known/usp')).body.usp.business.locations
  expect(await served()).toEqual(locations)
  await changing.apply({
    ...definition,
    locations: [
      { id: 'loc_uptown', name: 'Harlem' },
      { id: 'loc_soho', name: 'SoHo' },
    ],
  })
  // The server looks once a second whether its definition is still in force.
  await expect.poll(served).toEqual([
    { id: 'loc_uptown', name: 'Harlem' },
    { id: 'loc_soho', name: 'SoHo' },
  ])
})

test('[PRO-027] [PRO-031] its keys are EC keys for signatures', () => {
  expect(profile.keys.length).toBeGreaterThan(0)
  for (const key of profile.keys)
    expect(key).toEqual({
      kid: expect.stringMatching(/\S/),
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      use: 'sig',
      alg: 'ES256',
    })
})

test('[PRO-028] nothing of a private key stands anywhere in it', () => {
  const names = new Set(memberNames(profile))
  expect(names).toContain('kid')
  for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(names).not.toContain(secret)
})

test('[PRO-029] [PRO-030] the older name of the keys holds the same keys', () => {
  expect(profile.signing_keys).toEqual(profile.keys)
})

test('the keys stay the same from one reading to the next', async () => {
  expect((await server.rest('GET', '/.well-known/usp')).body.keys).toEqual(profile.keys)
})

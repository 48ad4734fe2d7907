import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const forwarded = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'elsewhere.example',
  'x-forwarded-port': '4443',
  forwarded: 'for=203.0.113.9;proto=https;host=elsewhere.example',
}

/** What the server takes a request with forwarded headers to be. */
async function seenBy(env: NodeJS.ProcessEnv, peer = '10.0.0.5') {
  const server = await testServer(businessWith([service('svc_one')]), { env })
  server.app.get('/seen', async ({ protocol, host, ip, ips }) => ({ protocol, host, ip, ips }))
  const headers = { host: 'book.example', ...forwarded }
  const seen = await server.raw({ method: 'GET', url: '/seen', headers, remoteAddress: peer })
  const profile = await server.raw({ method: 'GET', url: '/.well-known/usp', headers, remoteAddress: peer })
  return { ...seen.body, profile: profile.body }
}

test('[TLS-005] without TRUST_PROXY forwarded headers change neither scheme nor host nor client address', async () => {
  const { profile, ...seen } = await seenBy({})
  expect(seen).toEqual({ protocol: 'http', host: 'book.example', ip: '10.0.0.5' })
  expect(JSON.stringify(profile)).not.toContain('elsewhere.example')
})

test('a trusted proxy is believed', async () => {
  const seen = await seenBy({ TRUST_PROXY: '10.0.0.0/8' })
  expect(seen).toMatchObject({ protocol: 'https', host: 'elsewhere.example', ip: '203.0.113.9' })
})

test('a peer that TRUST_PROXY does not name is not believed', async () => {
  const seen = await seenBy({ TRUST_PROXY: '10.0.0.0/8' }, '198.51.100.4')
  expect(seen).toMatchObject({ protocol: 'http', host: 'book.example', ip: '198.51.100.4' })
})

test.each([{}, { TRUST_PROXY: '10.0.0.0/8' }])(
  'the addresses in the profile come from BASE_URL alone, whatever a request says (%j)',
  async (env) => {
    const { profile } = await seenBy({ ...env, BASE_URL: 'https://studio.example' })
    const endpoints: { endpoint: string }[] = profile.usp.services['dev.usp-protocol.services']
    expect(endpoints.map(({ endpoint }) => new URL(endpoint).origin)).toEqual([
      'https://studio.example',
      'https://studio.example',
    ])
  },
)

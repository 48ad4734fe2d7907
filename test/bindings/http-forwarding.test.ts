import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { unguarded } from '../support/unguarded.ts'

const forwarded = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'elsewhere.example',
  'x-forwarded-port': '4443',
  forwarded: 'for=203.0.113.9;proto=https;host=elsewhere.example',
}

/** What the server takes a request with forwarded headers to be. */
async function seenBy(env: NodeJS.ProcessEnv, peer = '10.0.0.5') {
  const server = await serverWithAllInterfaces(businessWith([service('svc_one')]), { env })
  server.app.get('/seen', unguarded, async ({ protocol, host, peer }) => ({ protocol, host, ip: peer.address }))
  const headers = { host: 'book.example', ...forwarded }
  const seen = await server.raw({ method: 'GET', url: '/seen', headers, remoteAddress: peer })
  const profile = await server.raw({ method: 'GET', url: '/.well-known/usp', headers, remoteAddress: peer })
  return { ...seen.body, profile: profile.body }
}

const trusting = await serverWithAllInterfaces(businessWith([service('svc_one')]), {
  env: { TRUST_PROXY: '10.0.0.0/8' },
})
trusting.app.get('/address', unguarded, async ({ peer }) => peer)

/** Who is taken to call. */
async function addressSeen(header: string | string[], remoteAddress = '10.0.0.5') {
  const headers = { 'x-forwarded-for': header }
  return (await trusting.raw({ method: 'GET', url: '/address', headers, remoteAddress })).body.address
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

describe('[X-Forwarded-For is read from the right, hop by hop]', () => {
  const CLIENT = '203.0.113.9'
  const FORGED = '198.51.100.66'

  test.each([
    ['the proxy’s own word, and not what it was handed', `${FORGED}, ${CLIENT}`, CLIENT],
    ['past a trusted hop', `${FORGED}, ${CLIENT}, 10.0.0.7`, CLIENT],
    ['past several', `${FORGED}, ${CLIENT}, 10.0.0.8,10.0.0.7`, CLIENT],
    ['no further than the first that is not trusted', `10.0.0.9, ${CLIENT}`, CLIENT],
    ['as far as there are hops', '10.0.0.8, 10.0.0.7', '10.0.0.8'],
    ['without its port', `${FORGED}, ${CLIENT}:4711`, CLIENT],
    ['of IPv6', `${FORGED}, 2001:db8::1`, '2001:db8::1'],
    ['of IPv6 with its port', `${FORGED}, [2001:DB8:0::1]:4711`, '2001:db8::1'],
    ['of IPv6 in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['of IPv4 in IPv6 clothing', `${FORGED}, ::ffff:${CLIENT}`, CLIENT],
    ['past a trusted hop in IPv6 clothing', `${CLIENT}, ::ffff:10.0.0.7`, CLIENT],
    ['not past what is no address', `${FORGED}, unknown`, '10.0.0.5'],
    ['not past what is left empty', `${FORGED}, `, '10.0.0.5'],
    ['not past a hop that nobody can have', `${FORGED}, 300.0.0.1, 10.0.0.7`, '10.0.0.7'],
    ['not as a number', `${FORGED}, 3405803785`, '10.0.0.5'],
    ['in lines of their own', [FORGED, CLIENT], CLIENT],
    ['nowhere where nothing is said', '', '10.0.0.5'],
  ])('%s', async (_, header, address) => {
    expect(await addressSeen(header)).toBe(address)
  })

  test('not at all from whom nobody trusts', async () => {
    expect(await addressSeen(CLIENT, '198.51.100.4')).toBe('198.51.100.4')
  })

  test('with a port or without, one address has one count of failures', async () => {
    const { raw } = await serverWithAllInterfaces(
      businessWith([service('svc_one')], { limits: { failed_authentications: 3 } }),
      {
        env: { TRUST_PROXY: '10.0.0.0/8', METRICS_TOKEN: 'a-token-of-some-length' },
      },
    )
    const statuses: number[] = []
    for (const port of [1, 2, 3, 4]) {
      const headers = { authorization: 'Bearer guessed', 'x-forwarded-for': `${FORGED}, ${CLIENT}:${port}` }
      statuses.push((await raw({ method: 'GET', url: '/metrics', headers, remoteAddress: '10.0.0.5' })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

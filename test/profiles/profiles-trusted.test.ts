import { expect, test } from 'vitest'
import { errors } from '../../src/protocol/errors.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform } from '../support/platform.ts'
import { START, type TestServer, testServer } from '../support/server.ts'

const trusted = await testPlatform()
const second = await testPlatform()
const stranger = await testPlatform()
const business = businessWith([service('svc_a')])
const selective = await testServer(business, { env: { USP_PROFILE_ALLOWLIST: `${trusted.url}, ${second.url}` } })
const production = await testServer(business, {
  env: {
    USP_MODE: 'production',
    HOST: '127.0.0.1',
    DATABASE_URL: 'postgres://unused.example/usp',
    BASE_URL: 'https://book.example',
    USP_SECRET_KEY: 'k'.repeat(32),
    TRUST_PROXY: 'loopback',
  },
})

/** Both bindings, as behind a proxy that was called by https. */
async function bothAnswer(server: TestServer, url: string) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' }
  const agent = { ...headers, 'usp-agent': `profile="${url}"` }
  const rest = await server.raw({ method: 'POST', url: '/usp/v1/services/list', headers: agent, payload: {} })
  const params = { name: 'usp_services_list', arguments: { _meta: { usp: { profile: url } } } }
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
  const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })
  return [
    [rest.status, rest.body.code],
    [body.error?.code ?? 200, body.error?.data.code],
  ]
}

test('[PRO-067] [PRO-068] a profile outside the allowlist is not trusted, and not fetched', async () => {
  for (const url of [stranger.url, `${trusted.url}/more`, `${trusted.url}?a`, new URL('/', trusted.url).href])
    expect(await bothAnswer(selective, url), url).toEqual([
      [403, 'profile_not_trusted'],
      [-32005, 'profile_not_trusted'],
    ])
  expect(stranger.fetched + trusted.fetched).toBe(0)
})

test('[PRO-067] every profile on the allowlist is served', async () => {
  for (const { url } of [trusted, second])
    expect(await bothAnswer(selective, url)).toEqual([
      [200, undefined],
      [200, undefined],
    ])
})

test('[PRO-067] [ERR-076] a proven caller of an untrusted profile gets 403, and 403 means nothing else', async () => {
  const address = '/services/feed/subscriptions/sub_x'
  const proof = () => restProof(testKey(), 'GET', `http://127.0.0.1:8080/usp/v1${address}`, START)
  const call = async (headers: Record<string, string>) => {
    const { status, body } = await selective.rest('GET', address, undefined, headers)
    return [status, body.code]
  }
  const agent = { 'usp-agent': `profile="${trusted.url}"` }
  expect(await call({ 'usp-agent': `profile="${stranger.url}"`, dpop: proof() })).toEqual([403, 'profile_not_trusted'])
  expect(await call(agent)).toEqual([401, 'authentication_required'])
  expect(await call({ ...agent, dpop: 'wrong' })).toEqual([401, 'pop_proof_invalid'])
  expect(await call({ ...agent, authorization: 'Bearer usk_unknown' })).toEqual([401, 'authentication_required'])
  expect(await call({ ...agent, authorization: 'DPoP bsc_unknown' })).toEqual([401, 'authentication_required'])
  expect(await call({ ...agent, dpop: proof() })).toEqual([404, 'subscription_not_found'])
})

test('[ERR-076] of all codes only one is answered with 403', () => {
  const forbidden = Object.entries(errors).filter(([, entry]) => 'http' in entry && entry.http === 403)
  expect(forbidden.map(([code]) => code)).toEqual(['profile_not_trusted'])
})

test('[PRO-052] in production a profile on loopback is refused and no connection opened', async () => {
  const { port } = new URL(stranger.url)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1', '2130706433', '[::ffff:127.0.0.1]'])
    expect(await bothAnswer(production, `https://${host}:${port}/profile.json`), host).toEqual([
      [400, 'invalid_profile_url'],
      [-32602, 'invalid_profile_url'],
    ])
  expect(stranger.fetched).toBe(0)
})

import type { InjectOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { makeMetrics } from '../../src/infra/telemetry/metrics.ts'
import { metricsServer } from '../../src/interfaces/http/serve-metrics.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const TOKEN = 'a-token-that-prometheus-knows'
const production = {
  USP_MODE: 'production',
  BASE_URL: 'https://book.example',
  DATABASE_URL: 'postgres://database.example/usp',
  USP_SECRET_KEY: 'x'.repeat(32),
}
const definition = businessWith([service('svc_a')], { limits: { failed_authentications: 3 } })
const here = await testServer(definition)
const proxied = await testServer(definition, { env: { TRUST_PROXY: '127.0.0.1' } })
const closed = await testServer(definition, { env: production })
const guarded = await testServer(definition, { env: { ...production, METRICS_TOKEN: TOKEN } })

const ask = (server: typeof here, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  server.raw({ method: 'GET', url: '/metrics', headers, remoteAddress })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('[metrics are not for all] in development this machine reads them', async () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect((await ask(here, {}, address)).status).toBe(200)
})

test('[which version runs] is told by the metrics', async () => {
  expect((await ask(here)).body).toContain(
    `usp_build_info{version="${manifest.version}",node="${process.versions.node}"} 1`,
  )
})

test.each([
  ['another machine', {}, '203.0.113.1'],
  ['a proxy here that speaks for another', { 'x-forwarded-for': '203.0.113.1' }, '127.0.0.1'],
  ['one that speaks for this machine', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
  ['one that says it otherwise', { forwarded: 'for=203.0.113.1' }, '127.0.0.1'],
  ['one that hides for whom', { via: '1.1 proxy' }, '127.0.0.1'],
])('[metrics are not for all] in development %s does not', async (_, headers, address) => {
  for (const server of [here, proxied]) expect((await ask(server, headers, address)).status).toBe(401)
})

test('[metrics are not for all] in production the token reads them, from everywhere', async () => {
  for (const address of ['127.0.0.1', '203.0.113.1']) {
    const { status, headers, body } = await ask(guarded, bearer(TOKEN), address)
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
    expect(body).toContain('process_cpu_seconds_total')
  }
})

test('[metrics are not for all] nobody learns whether there is a token', async () => {
  const said = async (server: typeof here, headers = {}) => {
    const { status, headers: answered, body } = await ask(server, headers)
    const { instance, ...problem } = body
    return { status, challenge: answered['www-authenticate'], problem }
  }
  const none = await said(closed)
  expect(none).toMatchObject({ status: 401, challenge: 'Bearer', problem: { code: 'authentication_required' } })
  expect(await said(closed, bearer(TOKEN))).toEqual(none)
  expect(await said(guarded)).toEqual(none)
  expect(await said(guarded, bearer(`${TOKEN}x`))).toEqual(none)
  expect(await said(guarded, { authorization: `Basic ${TOKEN}` })).toEqual(none)
})

test('[metrics are not for all] [LIM-017] nor guesses it at speed', async () => {
  const from = '198.51.100.1'
  for (const guess of [1, 2, 3]) expect((await ask(guarded, bearer(`guess-${guess}`), from)).status).toBe(401)
  expect((await ask(guarded, bearer('guess-4'), from)).status).toBe(429)
  expect((await ask(guarded, bearer(TOKEN), from)).status).toBe(429)
  expect((await ask(guarded, bearer(TOKEN), '198.51.100.2')).status).toBe(200)
})

test('[metrics are not for all] at an address of their own they are nowhere else, and nothing else is there', async () => {
  const apart = await testServer(definition, { env: { METRICS_ADDRESS: '127.0.0.1:9464' } })
  const own = metricsServer({ ...apart.runtime, metrics: makeMetrics() })
  onTestFinished(() => own.close())
  expect((await ask(apart)).status).toBe(404)
  const answered = async (url: string, more: InjectOptions = {}) => (await own.inject({ url, ...more })).statusCode
  expect(await answered('/metrics')).toBe(200)
  expect(await answered('/metrics', { method: 'POST' })).toBe(405)
  expect(await answered('/usp/v1/services')).toBe(404)
  expect(await answered('/metrics', { remoteAddress: '203.0.113.1' })).toBe(401)
})

test('[metrics are not for all] there the token is asked for too, where there is one', async () => {
  const apart = await testServer(definition, { env: { METRICS_ADDRESS: '0.0.0.0:9464', METRICS_TOKEN: TOKEN } })
  const own = metricsServer({ ...apart.runtime, metrics: makeMetrics() })
  onTestFinished(() => own.close())
  expect((await own.inject('/metrics')).statusCode).toBe(401)
  expect((await own.inject({ url: '/metrics', headers: bearer(TOKEN) })).statusCode).toBe(200)
})

import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_one')]))
const get = (url: string) => server.raw({ method: 'GET', url })

/** What the metrics count of the requests answered so far, by operation and status. */
async function counted(): Promise<Record<string, number>> {
  const { status, headers, body } = await get('/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = [...String(body).matchAll(/^usp_request_seconds_count\{operation="(.*)",status="(\d+)"\} (\d+)$/gm)]
  return Object.fromEntries(lines.map(([, operation, state, count]) => [`${operation} ${state}`, Number(count)]))
}

test('/healthz answers while the process lives', async () => {
  const { status, body } = await get('/healthz')
  expect([status, body]).toEqual([200, { status: 'ok' }])
})

test('[a server that is to end] health checks get 503 and Retry-After, and calls are answered', async () => {
  const { app } = await serverWithAllInterfaces(businessWith([service('svc_one')]))
  app.isDraining = true
  for (const url of ['/healthz', '/readyz']) {
    const answer = await app.inject({ method: 'GET', url })
    const { statusCode, headers } = answer
    expect([statusCode, answer.json().detail]).toEqual([503, 'This server is shutting down.'])
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
  }
  expect((await app.inject({ method: 'GET', url: '/usp/v1/services/svc_one' })).statusCode).toBe(200)
})

test('/readyz answers 200 while the database does', async () => {
  const { status, body } = await get('/readyz')
  expect([status, body]).toEqual([200, { status: 'ready' }])
})

test('/readyz answers 503 and Retry-After once the database is gone, and /healthz still 200', async () => {
  const databaseUrl = await freshDatabase()
  const bereft = await testServer(businessWith([service('svc_one')]), { databaseUrl })
  const admin = new pg.Client(inject('superuser'))
  await admin.connect()
  await admin.query(`drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`)
  await admin.end()

  const { status, headers, body } = await bereft.raw({ method: 'GET', url: '/readyz' })
  expect([status, body.code]).toEqual([503, 'service_unavailable'])
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect((await bereft.raw({ method: 'GET', url: '/healthz' })).status).toBe(200)
})

test('the metrics count requests by operation and status, on both bindings', async () => {
  const before = await counted()
  await server.rest('GET', '/services/svc_one')
  await server.rest('GET', '/services/svc_one')
  await server.rest('GET', '/services/svc_none')
  await server.tool('usp_services_list')
  const after = await counted()
  const more = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  expect(['getService 200', 'getService 404', 'usp_services_list 200'].map(more)).toEqual([2, 1, 1])
})

test('the metrics tell of the process itself', async () => {
  expect((await get('/metrics')).body).toMatch(/^process_cpu_seconds_total \d/m)
})

test('no caller can make the metrics grow with names of its own', async () => {
  const known = Object.keys(await counted())
  for (const url of ['/nothing', '/invented', '/schemas/invented']) await get(url)
  for (const name of ['usp_invented', 'usp_made_up', 'anything']) await server.tool(name)
  const labels = new Set(Object.keys(await counted()).filter((label) => !known.includes(label)))
  expect([...labels].filter((label) => !/^(mcp|other|profile|structuredData) /.test(label))).toEqual([])
})

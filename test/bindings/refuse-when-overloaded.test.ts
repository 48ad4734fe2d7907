import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

let release = Promise.withResolvers<void>()
/** Works until the test lets it go. */
const endless = testOperation('endless', {
  rest: 'GET /endless',
  async handle() {
    await release.promise
    return {}
  },
})

const server = await serverWithAllInterfaces(businessWith([service('svc_one')]), {
  operations: [...operations, endless],
  env: { DATABASE_POOL: '1' },
})
const calls = [
  ['GET', '/usp/v1/services/svc_one'],
  ['POST', '/usp/v1/services/list'],
  ['POST', '/usp/mcp'],
  ['GET', '/.well-known/usp'],
] as const

const message = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const answerTo = (method: 'GET' | 'POST', url: string) =>
  server.raw({ method, url, ...(method === 'POST' && { payload: url === '/usp/mcp' ? message : {} }) })

test('[LIM-022] with too much at work further calls are turned away at once, and probes answered', async () => {
  release = Promise.withResolvers()
  const atWork = Array.from({ length: 100 }, () => server.rest('GET', '/endless'))
  // Those of a try that failed would be at work during the next one too.
  onTestFinished(async () => {
    release.resolve()
    await Promise.all(atWork)
  })
  for (const [method, url] of calls) {
    const told = async () => {
      const { status, headers, body } = await answerTo(method, url)
      return { status, after: Number(headers['retry-after']) > 0, type: headers['content-type'], code: body.code }
    }
    const type = expect.stringMatching(/^application\/problem\+json/)
    await expect.poll(told).toEqual({ status: 503, after: true, type, code: 'service_unavailable' })
  }
  for (const url of ['/healthz', '/readyz', '/metrics']) expect((await answerTo('GET', url)).status).toBe(200)

  release.resolve()
  expect((await Promise.all(atWork)).map(({ status }) => status)).toEqual(Array(100).fill(200))
  for (const [method, url] of calls) expect((await answerTo(method, url)).status).toBe(200)
})

test('[LIM-022] what was refused or is long answered does not add up', async () => {
  for (let round = 0; round < 150; round++) {
    await server.rest('GET', '/services/svc_one')
    await server.raw({ method: 'POST', url: '/usp/v1/services/list', payload: '{"half', headers: json })
    await server.raw({ method: 'GET', url: '/nowhere' })
  }
  expect((await server.rest('GET', '/services/svc_one')).status).toBe(200)
})
const json = { 'content-type': 'application/json' }

test('[LIM-022] callers who hung up make room', async () => {
  release = Promise.withResolvers()
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/usp/v1`
  const quitters = Array.from({ length: 100 }, () => new AbortController())
  const aborted = quitters.map(({ signal }) => fetch(`${url}/endless`, { signal }).catch(() => 'aborted'))
  const status = async () => (await fetch(`${url}/services/svc_one`)).status
  await expect.poll(status).toBe(503)
  for (const quitter of quitters) quitter.abort()
  // Who was asked about in between may have taken the place of one of them.
  expect(await Promise.all(aborted)).toContain('aborted')
  await expect.poll(status).toBe(200)
  release.resolve()
})

test('[LIM-022] a process that is out of breath turns calls away until it has caught up', async () => {
  const { port } = server.app.server.address() as AddressInfo
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  const hold = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1700)
  const afterPauses = async (count: number) => {
    for (let pause = 0; pause < count; pause++) {
      hold()
      await setTimeout(1)
    }
    return status('/usp/v1/services/svc_one')
  }
  expect(await afterPauses(1)).toBe(200)
  await expect.poll(() => afterPauses(2)).toBe(503)
  expect(await status('/healthz')).toBe(200)
  await expect.poll(() => status('/usp/v1/services/svc_one')).toBe(200)
})

import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const RULE = '[a page that made its name lead here calls no tool]'
const definition = businessWith([service('svc_one')])
const production = {
  USP_MODE: 'production',
  BASE_URL: 'https://book.example',
  DATABASE_URL: 'postgres://never.example/asked',
  USP_SECRET_KEY: 'k'.repeat(32),
  TRUST_PROXY: '127.0.0.1',
}
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** Asks for the tools as a page of this origin does that found the server under this name. */
async function opened(env: NodeJS.ProcessEnv) {
  const { app } = await serverWithAllInterfaces(definition, { env })
  return async (host: string, origin?: string) => {
    const { statusCode, payload } = await app.inject({
      method: 'POST',
      url: '/usp/mcp',
      headers: {
        host,
        'content-type': 'application/json',
        'x-forwarded-proto': 'https',
        ...(origin !== undefined && { origin }),
      },
      payload: listing,
    })
    return { status: statusCode, body: JSON.parse(payload) }
  }
}

const development = await opened({})
const named = await opened({
  BASE_URL: 'http://salon.test:8080',
  MCP_HOSTS: 'desk.test',
  MCP_ORIGINS: 'https://a.test',
})
const open = await opened(production)
const closed = await opened({
  ...production,
  MCP_HOSTS: 'tools.book.example',
  MCP_ORIGINS: 'https://assistant.example',
})

test.each([
  ['in development', development, 'localhost:8080', undefined],
  ['in development', development, '127.0.0.1:8080', undefined],
  ['in development', development, '[::1]:8080', undefined],
  ['in development, by the address of a machine', development, '192.168.1.20:8080', undefined],
  ['in development', development, 'localhost:8080', 'http://localhost:6274'],
  ['in development', development, '127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['in development with a name of its own', named, 'salon.test:8080', 'http://salon.test:8080'],
  ['in development with more names', named, 'desk.test', 'https://a.test'],
  ['in production', open, 'book.example', 'https://anything.example'],
  ['in production, behind a proxy that calls it otherwise', open, 'usp:8080', undefined],
  ['in production with names', closed, 'book.example', 'https://book.example'],
  ['in production with names', closed, 'tools.book.example', 'https://assistant.example'],
  ['in production with names, of no page', closed, 'book.example', undefined],
])(`${RULE} %s others do: %4$s on %3$s`, async (_, ask, host, origin) => {
  const { status, body } = await ask(host, origin)
  expect([status, body.error]).toEqual([200, undefined])
})

const byHost = 'MCP_HOSTS'
const byOrigin = 'MCP_ORIGINS'
test.each([
  ['in development', development, 'evil.example:8080', undefined, byHost],
  ['in development', development, 'evil.example:8080', 'http://evil.example:8080', byHost],
  ['in development', development, 'localhost.evil.example', undefined, byHost],
  ['in development', development, '127.0.0.1.evil.example', undefined, byHost],
  ['in development', development, '127.0.0.1:8080', 'https://evil.example', byOrigin],
  ['in development', development, '127.0.0.1:8080', 'http://localhost.evil.example', byOrigin],
  ['in development', development, '127.0.0.1:8080', 'http://192.0.2.1', byOrigin],
  ['in development, out of a frame', development, '127.0.0.1:8080', 'null', byOrigin],
  ['in development', development, '127.0.0.1:8080', 'no origin at all', byOrigin],
  ['in development with a name of its own', named, 'other.test:8080', undefined, byHost],
  ['in production with names', closed, 'evil.example', undefined, byHost],
  ['in production with names', closed, '192.0.2.1', undefined, byHost],
  ['in production with names', closed, 'book.example', 'https://evil.example', byOrigin],
  ['in production with names', closed, 'book.example', 'http://assistant.example', byOrigin],
  ['in production with names', closed, 'book.example', 'http://localhost:6274', byOrigin],
])(`${RULE} %s: %4$s on %3$s`, async (_, ask, host, origin, setting) => {
  const { status, body } = await ask(host, origin)
  expect([status, body.id, body.error.code]).toEqual([403, null, -32600])
  expect(body.error.data).toMatchObject({ code: 'invalid_request', content: expect.stringContaining(setting) })
})

test(`${RULE} it is refused before anything is read of what it sends`, async () => {
  const { app } = await serverWithAllInterfaces(definition)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const status = await new Promise((resolve) => {
    const call = request({
      port,
      host: '127.0.0.1',
      path: '/usp/mcp',
      method: 'POST',
      headers: { host: 'evil.example', 'content-type': 'application/json', 'content-length': 1000 },
    })
    call.on('response', (answer) => resolve(answer.statusCode)).on('error', () => {})
    call.flushHeaders()
  })
  expect(status).toBe(403)
})

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

let started = Promise.withResolvers<void>()
let release = Promise.withResolvers<void>()

/** Writes twice, and between the two waits for the test. */
const twofold = testOperation('twofold', {
  effect: 'update',
  async handle({ db }) {
    await sql`insert into steps values (1)`.execute(db)
    started.resolve()
    await release.promise
    await sql`insert into steps values (2)`.execute(db)
    return {}
  },
})

const server = await serverWithAllInterfaces(businessWith([service('svc_one')]), {
  operations: [...operations, twofold],
})
await sql`create table steps (step integer)`.execute(server.runtime.db)
await server.app.listen({ host: server.runtime.config.host, port: 0 })
const { port, address } = server.app.server.address() as AddressInfo

beforeEach(() => {
  started = Promise.withResolvers()
  release = Promise.withResolvers()
})
afterEach(() => sql`delete from steps`.execute(server.runtime.db))

test('[TLS-010] in development the server speaks plain HTTP on a loopback address unless told otherwise', async () => {
  expect(server.runtime.config.mode).toBe('development')
  expect(address).toBe('127.0.0.1')
  expect((await fetch(`http://127.0.0.1:${port}/.well-known/usp`)).status).toBe(200)
})

test('[REST-030] calls work over HTTP/1.1, several on one connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const seen: { status: number | undefined; version: string; from: number | undefined }[] = []
  for (const path of ['/usp/v1/services/svc_one', '/usp/v1/services/svc_unknown', '/usp/v1/services/feed']) {
    const call = request({ agent, port, host: '127.0.0.1', path }).end()
    const [answer] = await once(call, 'response')
    seen.push({ status: answer.statusCode, version: answer.httpVersion, from: answer.socket.localPort })
    await once(answer.resume(), 'end')
  }
  agent.destroy()
  expect(seen.map(({ status }) => status)).toEqual([200, 404, 200])
  expect(new Set(seen.map(({ version }) => version))).toEqual(new Set(['1.1']))
  expect(new Set(seen.map(({ from }) => from)).size).toBe(1)
})

test.each([
  'http://',
  'http:///usp/v1/services/svc_one',
  'http://host:99999/usp/v1/services/svc_one',
  'https://[::1/usp/v1/services/svc_one',
  'http://host/usp/v1/services/svc_one#part',
  'http://host/%',
  '/usp/v1/services/%C0%AF',
  '/%',
])('an address that cannot be routed by is refused like any other call: %s', async (path) => {
  const call = request({ agent: false, port, host: '127.0.0.1', path }).end()
  const [answer] = await once(call, 'response')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8'])
  expect(answer.headers['x-request-id']).toMatch(/\S/)
  expect(JSON.parse(Buffer.concat(await answer.toArray()).toString()).code).toBe('invalid_request')
})

const head = (length: number) =>
  `POST /usp/v1/twofold HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** Sends the text, and hangs up when `ready`; resolves when the server has noticed. */
async function hangUp(text: string, ready: Promise<unknown>) {
  const accepted = once(server.app.server, 'connection')
  const client = connect(port, '127.0.0.1')
  client.write(text)
  const [socket]: Socket[] = await accepted
  await ready
  const noticed = new Promise((resolve) => socket?.once('close', resolve))
  client.destroy()
  await noticed
}

const steps = async () => {
  const { rows } = await sql<{ step: number }>`select step from steps order by step`.execute(server.runtime.db)
  return rows.map(({ step }) => step)
}

test('[REST-033] who hangs up before the whole body was sent has changed nothing', async () => {
  const arrived = once(server.app.server, 'request')
  release.resolve()
  await hangUp(`${head(100)}{"half":`, arrived)
  expect(await steps()).toEqual([])
})

test('[REST-033] who hangs up while the operation runs finds it carried out whole', async () => {
  await hangUp(`${head(2)}{}`, started.promise)
  release.resolve()
  await expect.poll(steps).toEqual([1, 2])
})

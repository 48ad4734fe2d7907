import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { resourcesLock } from '../../src/core/ledger/resource-claims.ts'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { operations } from '../../src/server/all-operations.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

const slow = testOperation('slow', {
  async handle({ db }) {
    await sql`select pg_sleep(60)`.execute(db)
    return {}
  },
})

/** Locks one thing after another, each when somebody else has had the time to do so too. */
const cross = testOperation('cross', {
  effect: 'update',
  input: { type: 'object', properties: { one: { type: 'string' }, other: { type: 'string' } } },
  async handle({ db, input }) {
    const { one, other } = Object(input)
    await resourcesLock(db, [one])
    await sql`select pg_sleep(0.2)`.execute(db)
    await resourcesLock(db, [other])
    return {}
  },
})

/** Stands between the server and its database, so that a test can cut the two apart and join them again. */
class Cable {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server
  #port = 0

  constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((near) => this.#join(near))
  }

  async plug(): Promise<string> {
    this.#server = createServer((near) => this.#join(near)).listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    const url = new URL(this.#target)
    url.port = String(this.#port)
    return url.href
  }

  async unplug() {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }

  #join(near: Socket) {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  }
}

const database = await freshDatabase()
const cable = new Cable(database)
const server = await testServer(businessWith([service('svc_one')]), {
  databaseUrl: await cable.plug(),
  operations: [...operations, slow, cross],
})

/** Resolves when the server says that it has its database again. */
async function ready() {
  while ((await server.raw({ method: 'GET', url: '/readyz' })).status !== 200);
}

const calls = [
  ['POST', '/services/list', {}, 'usp_services_list', {}],
  ['GET', '/services/svc_one', undefined, 'usp_services_get', { service_id: 'svc_one' }],
  ['POST', '/services/lookup', { ids: ['svc_one'] }, 'usp_services_lookup', { ids: ['svc_one'] }],
  ['GET', '/services/feed', undefined, 'usp_services_feed', {}],
] as const

test.each(calls)(
  '[ERR-074] while the database is away %s %s is 503 and -32009, and works again after',
  async (method, path, body, tool, input) => {
    expect((await server.rest(method, path, body)).status).toBe(200)
    await cable.unplug()
    const refused = await server.rest(method, path, body)
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable'])
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    const { error } = (await server.tool(tool, input)).body
    expect([error.code, error.data.code]).toEqual([-32009, 'service_unavailable'])

    await cable.plug()
    await ready()
    expect((await server.rest(method, path, body)).status).toBe(200)
    expect((await server.tool(tool, input)).body).toHaveProperty('result')
  },
)

const admin = new pg.Client(database)
await admin.connect()
afterAll(() => admin.end())

const sleeping = `from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid() and state = 'active'`
const sleepers = async () => (await admin.query(`select ${sleeping}`)).rowCount ?? 0
const wake = () => admin.query(`select pg_terminate_backend(pid) ${sleeping}`)

/** Resolves when the database is busy with the slow operation. */
async function busy() {
  while ((await sleepers()) === 0);
}

afterEach(async () => {
  while ((await sleepers()) > 0) await wake()
})

test.each([
  ['over REST', () => server.rest('POST', '/slow', {}), { status: 503, body: { code: 'service_unavailable' } }],
  ['over MCP', () => server.tool('usp_slow'), { body: { error: { code: -32009 } } }],
] as const)(
  '[ERR-074] a database lost while it is being asked is the same refusal %s, and nothing more',
  async (_, call, expected) => {
    const answer = call()
    await busy()
    await cable.unplug()
    expect(await answer).toMatchObject(expected)
    await cable.plug()
    await ready()
    expect((await server.rest('GET', '/services/svc_one')).status).toBe(200)
  },
)

test('[ERR-074] a database that ends the connection itself is the same refusal', async () => {
  const answer = server.rest('POST', '/slow', {})
  await busy()
  await wake()
  expect(await answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  await ready()
  expect((await server.rest('GET', '/services/svc_one')).status).toBe(200)
})

test.each([
  ['over REST', (input: object) => server.rest('POST', '/cross', input), 503],
  ['over MCP', (input: object) => server.tool('usp_cross', input), -32009],
] as const)('[ERR-074] of two that wait for each other one is told to try again %s', async (_, call, refused) => {
  const answers = await Promise.all([call({ one: 'left', other: 'right' }), call({ one: 'right', other: 'left' })])
  const [said] = answers.filter(({ status, body }) => status !== 200 || body.error)
  expect(answers.filter((one) => one === said)).toHaveLength(1)
  expect([said?.body.error?.code ?? said?.status, said?.body.error?.data.code ?? said?.body.code]).toEqual([
    refused,
    'service_unavailable',
  ])
  expect(said?.headers['retry-after']).toBe('1')
})

test('while the database is away the profile is 503 too, readiness says no, and life goes on', async () => {
  await cable.unplug()
  expect(await server.rest('GET', '/.well-known/usp')).toMatchObject({ status: 503 })
  const readiness = await server.raw({ method: 'GET', url: '/readyz' })
  expect(readiness).toMatchObject({ status: 503 })
  // Operators see a failed readiness check in the log, and no successful one.
  const line = server.logged
    .map((text) => JSON.parse(text))
    .find(({ route, status }) => route === '/readyz' && status === 503)
  expect(line).toMatchObject({ level: 30, requestId: expect.any(String) })
  expect(await server.raw({ method: 'GET', url: '/healthz' })).toMatchObject({ status: 200 })
  await cable.plug()
  await ready()
  expect(await server.rest('GET', '/.well-known/usp')).toMatchObject({ status: 200 })
})

test('[nobody is told that nothing was done who may be wrong] a page whose database was lost sends the buyer to look', async () => {
  const url = pageUrl('', server.runtime.tag, { id: 'bkg_any', record: {} }, 'manage')
  await cable.unplug()
  for (const method of ['GET', 'POST'] as const) {
    const { status, headers, body } = await server.raw({ method, url })
    expect(status).toBe(503)
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(body).toContain('It will show whether your change was made')
    expect(body).not.toContain('nothing was changed')
  }
  await cable.plug()
  await ready()
})

test('[ERR-074] what cut the database off is told to the log alone', async () => {
  await cable.unplug()
  server.logged.length = 0
  const { body } = await server.rest('GET', '/services/svc_one')
  await cable.plug()
  expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|pg|postgres/i)
  expect(server.logged.filter((line) => JSON.parse(line).level >= 50).join('')).toMatch(/ECONN|terminated/)
})

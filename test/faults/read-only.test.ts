import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await testServer(businessWith([service('svc_one')]), { databaseUrl })
const platform = await testPlatform()
const { key } = await addClient(server.runtime.db, 'Known', new Date())
const admin = new pg.Client(inject('superuser'))
await admin.connect()
afterAll(() => admin.end())

/** As a failover does: every connection ends, and new ones find a database that takes nothing. */
async function close(isReadOnly: boolean) {
  const name = new URL(databaseUrl).pathname.slice(1)
  await admin.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${platform.url}"` }
const callback_url = 'https://127.0.0.1:9443/hook'
const subscribe = () => server.rest('POST', '/services/feed/subscriptions', { callback_url }, headers)
const subscribeByTool = () =>
  server.tool(
    'usp_services_feed_subscribe',
    { callback_url, _meta: { usp: { profile: platform.url } } },
    { authorization: headers.authorization },
  )
const ready = () => server.raw({ method: 'GET', url: '/readyz' })

test('[a read-only database is 503] changes are refused for a while on both bindings, readiness says why, and it passes', async () => {
  expect((await subscribe()).status).toBe(201)
  await close(true)
  const detail = async () => (await ready()).body.detail
  await expect.poll(detail).toBe('The database accepts no changes: it is a standby, or read-only.')
  expect((await ready()).status).toBe(503)
  const refused = await subscribe()
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await subscribeByTool()).body.error).toMatchObject({ code: -32009, data: { code: 'service_unavailable' } })

  // Nothing ends those connections: the server itself leaves a database that takes nothing.
  const name = new URL(databaseUrl).pathname.slice(1)
  await admin.query(`alter database ${name} set default_transaction_read_only = false`)
  await expect.poll(async () => (await ready()).status).toBe(200)
  expect((await subscribe()).status).toBeLessThan(300)
  expect((await subscribeByTool()).body.result.structuredContent.subscription.status).toBe('active')
  // What failed is found in the log of every server, and what is well every few seconds is not.
  const lines = server.logged.map((line) => JSON.parse(line)).filter(({ route }) => route === '/readyz')
  const [debug, info] = [20, 30]
  expect(new Set(lines.map(({ status, level }) => `${status} ${level}`))).toEqual(
    new Set([`200 ${debug}`, `503 ${info}`]),
  )
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { eventInsert } from '../../src/core/events/queries.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { limitConcurrency } from '../../src/infra/util/semaphore.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { hostileAddresses } from '../support/hostile.ts'
import { testNameserver } from '../support/nameserver.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort, type Running, usp, waitForOutput } from '../support/process.ts'

/** As many calls as one address may have made for it at the same time. */
const AT_ONCE = 16
/** Whoever connects there has an error before anything was waited for: it is no address of a host. */
const NO_ROUTE = '127.255.255.255'

const nameserver = await testNameserver()
for (const [name, addresses] of [
  ['no-route.example', [NO_ROUTE]],
  ['no-route-twice.example', [NO_ROUTE, '::1']],
  ['six.example', ['::1']],
  ['nothing.example', []],
  ['silent.example', 'silent'],
  ['private.example', ['10.0.0.1']],
  ['mapped.example', ['::ffff:127.0.0.1']],
] as const)
  nameserver.names.set(name, typeof addresses === 'string' ? addresses : [...addresses])

const addresses = {
  ...(await hostileAddresses()),
  ...Object.fromEntries([...nameserver.names.keys(), 'unknown.example'].map((name) => [name, `https://${name}/`])),
  'no route': `https://${NO_ROUTE}/`,
  'no route, by name': 'https://no-route.example:1/',
  'port 0': 'https://127.0.0.1:0/',
  'port 0, by name': 'https://localhost:0/',
  'nobody there': `https://127.0.0.1:${await freePort()}/`,
  'a name too long': `https://${'a'.repeat(300)}.example/`,
  'a name of dots': 'https://a..b/',
}

const folder = mkdtempSync(join(tmpdir(), 'usp-hostile-'))
const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 2, () => {})
const servers: Running[] = []
afterAll(async () => {
  for (const server of servers) server.process.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function serve() {
  const definition = businessWith([service('svc_a')], { limits: { catalogue: 10_000, profiles: 10_000 } })
  // JSON is YAML.
  writeFileSync(join(folder, 'business.yaml'), JSON.stringify(definition))
  const port = await freePort()
  const env = { PORT: String(port), DATABASE_URL: databaseUrl, USP_DATA_DIR: folder, LOG_LEVEL: 'error' }
  const running = usp(['serve'], {
    ...env,
    USP_BUSINESS_FILE: join(folder, 'business.yaml'),
    USP_NAMESERVERS: nameserver.address,
  })
  servers.push(running)
  await waitForOutput(running, 'Ctrl-C stops it.')
  return { ...running, url: `http://127.0.0.1:${port}` }
}

const post = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Stores that something is to be told there, as a subscription and as the webhook of a platform. */
async function tellOf(what: string, url: string) {
  const { url: profile } = await testPlatform({ webhook_url: url })
  const id = `sub_${what.replace(/\W/g, '_')}`
  await sql`insert into feed_subscriptions
    (id, principal, profile, callback_url, status, position_modified_at, position_id, created_at)
    values (${id}, 'key:a', ${profile}, ${url}, 'active', now(), '', now())`.execute(db)
  const event = {
    id: `evt_${id}`,
    type: 'service.updated',
    subject: `service ${id}`,
    content: { body: { event: 'any' } },
  }
  await eventInsert(db, event, [`subscription ${id}`, `profile ${profile}`], new Date())
}

test('[no outside address can end the process] named as a profile, as a webhook or as a callback', async () => {
  const server = await serve()
  let ended = false
  server.ended.then(() => {
    ended = true
  })
  const list = `${server.url}/usp/v1/services/list`
  const mcp = (profile: string) => {
    const params = { name: 'usp_services_list', arguments: { _meta: { usp: { profile } } } }
    return post(`${server.url}/usp/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  }
  for (const [what, url] of Object.entries(addresses)) await tellOf(what, url)
  const inTurn = limitConcurrency(AT_ONCE / 2)
  const calls = Object.entries(addresses).map(([what, url]) =>
    inTurn(async () => {
      const [rest, tool] = await Promise.all([post(list, {}, { 'usp-agent': `profile="${url}"` }), mcp(`${url}?mcp`)])
      expect([400, 422, 424], what).toContain(rest.status)
      expect([-32602, -32003, -32004], what).toContain(tool.body.error?.code)
    }),
  )
  await Promise.all(calls)
  const waiting = async () => {
    const { rows } = await sql<{ receiver: string }>`
      select receiver from deliveries d where status = 'waiting'
        and not exists (select from delivery_attempts a where a.delivery_id = d.id)`.execute(db)
    return rows
  }
  while (!ended && (await waiting()).length > 0) await setTimeout(200)
  expect([ended, server.output()]).toEqual([false, expect.not.stringContaining('"level":')])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect((await post(list, {})).status).toBe(200)
})

test.runIf(process.platform === 'linux')(
  '[no outside address can end the process] nor can so many connections that no further one can be had',
  async () => {
    const server = await serve()
    execFileSync('prlimit', ['--pid', String(server.process.pid), '--nofile=60'])
    const { port } = new URL(server.url)
    const sockets = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
    await setTimeout(500)
    for (const socket of sockets)
      socket.write(
        'POST /usp/v1/services/list HTTP/1.1\r\nhost: a\r\nusp-agent: profile="https://six.example/"\r\n\r\n',
      )
    await setTimeout(1_500)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => fetch(`${server.url}/healthz`).then(({ status }) => status)).toBe(200)
    expect(server.process.exitCode).toBe(null)
  },
)

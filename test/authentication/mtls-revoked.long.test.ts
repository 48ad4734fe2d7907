import { appendFileSync, copyFileSync, readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Certified, issuedBy, revocations, selfSigned, temporaryFile } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Sent, sendOverTls } from '../support/over-tls.ts'
import { testPlatform } from '../support/platform.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

// The server looks at its files each minute; the tests do not wait that long.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterAll(() => void vi.useRealTimers())
const aMinutePasses = () => vi.advanceTimersByTime(60_000)

const authority = selfSigned('Authority')
const another = selfSigned('Another authority')
const own = issuedBy(authority, 'server', 'serverAuth')
const { url } = await testPlatform()

/** A server that trusts both authorities, and the file in which it finds what they have revoked. */
async function listening(first: string) {
  const list = temporaryFile('revoked.pem')
  copyFileSync(first, list)
  const authorities = temporaryFile('authorities.pem')
  for (const { cert } of [authority, another]) appendFileSync(authorities, cert)
  const files = { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile, TLS_CLIENT_CA_FILE: authorities }
  const server = await serverWithAllInterfaces(businessWith([service('svc_a')]), {
    env: { ...files, TLS_CLIENT_CRL_FILE: list },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const send = (sent: Sent, { cert, key }: Certified, agent: Agent | false = false) =>
    sendOverTls({ port, ca: authority.cert, cert, key, agent }, sent)
  return { ...server, list, send }
}

const input = { callback_url: 'https://127.0.0.1:9443/hook' }
const subscribe: Record<string, Sent> = {
  REST: {
    path: '/usp/v1/services/feed/subscriptions',
    headers: { 'usp-agent': `profile="${url}"` },
    body: input,
  },
  MCP: {
    path: '/usp/mcp',
    body: {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'usp_services_feed_subscribe', arguments: { ...input, _meta: { usp: { profile: url } } } },
    },
  },
}
const bindings = Object.entries(subscribe)
const codeOf = ({ body }: { body: { code?: string; error?: { data: { code: string } } } }) =>
  body.code ?? body.error?.data.code
const none = () => joined(revocations(authority, []), revocations(another, []))

function joined(...lists: string[]) {
  const file = temporaryFile('joined.pem')
  for (const one of lists) appendFileSync(file, readFileSync(one))
  return file
}

test.each(bindings)('[a revoked certificate proves nothing] over %s', async (_, call) => {
  const revoked = [issuedBy(authority, 'one', 'clientAuth'), issuedBy(another, 'two', 'clientAuth')] as const
  const good = [issuedBy(authority, 'three', 'clientAuth'), issuedBy(another, 'four', 'clientAuth')]
  const { send } = await listening(joined(revocations(authority, [revoked[0]]), revocations(another, [revoked[1]])))
  for (const client of revoked) {
    expect(codeOf(await send(call, client))).toBe('authentication_required')
    expect((await send({ method: 'GET', path: '/usp/v1/services/svc_a' }, client)).status).toBe(200)
  }
  for (const client of good) expect(codeOf(await send(call, client))).toBeUndefined()
})

test.each(bindings)(
  '[a revoked certificate proves nothing] within a minute, on no connection and in no session over %s',
  async (_, call) => {
    const client = issuedBy(authority, 'one', 'clientAuth')
    const { list, send, logged } = await listening(none())
    const [kept, resuming] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })]
    for (const agent of [kept, resuming]) expect(codeOf(await send(call, client, agent))).toBeUndefined()
    expect((await send(call, client, resuming)).resumed).toBe(true)
    copyFileSync(joined(revocations(authority, [client]), revocations(another, [])), list)
    aMinutePasses()
    await vi.waitFor(() => expect(Object.keys(kept.freeSockets)).toEqual([]))
    for (const agent of [kept, resuming])
      expect(codeOf(await send(call, client, agent))).toBe('authentication_required')
    const other = issuedBy(authority, 'two', 'clientAuth')
    expect(codeOf(await send(call, other))).toBeUndefined()
    expect(logged.join('\n')).toContain('renewed')
    kept.destroy()
  },
)

test('a list that is replaced by the same one cuts nobody off', async () => {
  const client = issuedBy(authority, 'one', 'clientAuth')
  const { list, send } = await listening(none())
  const agent = new Agent({ keepAlive: true })
  const call = { method: 'GET', path: '/usp/v1/services/svc_a' }
  await send(call, client, agent)
  copyFileSync(list, temporaryFile('copy'))
  aMinutePasses()
  await send(call, client, agent)
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
  agent.destroy()
})

test.each([
  ['has ended', () => joined(revocations(authority, [], { days: -1 }), revocations(another, [])), 'CRL_HAS_EXPIRED'],
  ['is missing for an authority', () => revocations(another, []), 'UNABLE_TO_GET_CRL'],
])(
  '[a revoked certificate proves nothing] where the list %s nobody gets in by it, and the log says so once',
  async (_, list, why) => {
    const { send, logged } = await listening(list())
    for (const name of ['one', 'two'])
      expect(codeOf(await send(subscribe.REST ?? { path: '/' }, issuedBy(authority, name, 'clientAuth')))).toBe(
        'authentication_required',
      )
    expect(logged.filter((line) => line.includes(why))).toHaveLength(1)
    expect(logged.join('\n')).toContain('TLS_CLIENT_CRL_FILE')
  },
)

test('a list that cannot be read any more stays in force', async () => {
  const client = issuedBy(authority, 'one', 'clientAuth')
  const { list, send, logged } = await listening(joined(revocations(authority, [client]), revocations(another, [])))
  copyFileSync(own.certFile, list)
  aMinutePasses()
  expect(logged.join('\n')).toContain('TLS_CLIENT_CRL_FILE holds no list of revoked certificates in PEM form.')
  expect(codeOf(await send(subscribe.REST ?? { path: '/' }, client))).toBe('authentication_required')
})

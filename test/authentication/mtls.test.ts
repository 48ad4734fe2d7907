import { hash, X509Certificate } from 'node:crypto'
import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { certificateIdentity } from '../../src/core/authentication/schemes/mtls.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { type Certified, expired, issuedBy, selfSigned } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Sent, sendOverTls } from '../support/over-tls.ts'
import { restProof, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, serverWithAllInterfaces } from '../support/server.ts'
import { digestOf, published, signed } from '../support/sign.ts'

const authority = selfSigned('Authority')
const stranger = selfSigned('Another authority')
const own = issuedBy(authority, 'server', 'serverAuth')
const files = { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile, TLS_CLIENT_CA_FILE: authority.certFile }
const key = testKey()
const platform = await testPlatform({ keys: [published('k1', key)] })

async function listening(authorization: BusinessDefinition['authorization'], env: NodeJS.ProcessEnv) {
  const server = await serverWithAllInterfaces(
    businessWith([service('svc_a')], { registry: { enabled: true }, ...(authorization && { authorization }) }),
    {
      env,
    },
  )
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  const send = (sent: Sent, client?: Pick<Certified, 'cert' | 'key'>, agent?: Agent) =>
    sendOverTls(
      { port, ca: authority.cert, ...(client && { cert: client.cert, key: client.key }), ...(agent && { agent }) },
      sent,
    )
  return { ...server, send }
}
const server = await listening(undefined, files)

const usp = { profile: platform.url }
const toolCall = (name: string, input: object, more = {}): Sent => {
  const params = { name, arguments: { ...input, _meta: { usp: { ...usp, ...more } } } }
  return { path: '/usp/mcp', body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params } }
}
const agentHeader = { 'usp-agent': `profile="${platform.url}"` }
const input = { callback_url: 'https://127.0.0.1:9443/hook' }
const subscribeOver = {
  REST: { path: '/usp/v1/services/feed/subscriptions', headers: agentHeader, body: input },
  MCP: toolCall('usp_services_feed_subscribe', input),
}
const { key: apiKey } = await addClient(server.runtime.db, 'Known', START)
const { baseUrl: origin } = server.runtime.config

/** What else a caller shows of itself on the same port, in the form of the binding. */
const ways: Record<string, (binding: 'REST' | 'MCP', call: Sent) => Sent> = {
  'an API key': (_, call) => ({ ...call, headers: { ...call.headers, authorization: `Bearer ${apiKey}` } }),
  'a proof': (binding, call) => {
    if (binding === 'REST')
      return { ...call, headers: { ...call.headers, dpop: restProof(key, 'POST', origin + call.path, START) } }
    const tool = 'usp_services_feed_subscribe'
    const aud = `${origin}/.well-known/usp`
    const proof = toolProof(key, tool, { ...input, _meta: { usp } }, START, { aud })
    return toolCall(tool, input, { authorization: { mechanism: 'platform_key_pop', proof } })
  },
  'a signature': (_, { path: target, headers, body }) => {
    const text = JSON.stringify(body)
    const typed = { ...headers, 'content-type': 'application/json', 'content-digest': digestOf(text) }
    const outgoing = { method: 'POST' as const, target, headers: typed, body: text }
    const signature = signed(outgoing, { key: key.private, parameters: ';keyid="k1"', origin })
    return { path: target, headers: signature.headers, body }
  },
}
const declared = toolCall('usp_services_feed_subscribe', input, { authorization: { mechanism: 'mtls' } })

const codeOf = ({ body }: { body: { code?: string; error?: { data: { code: string } } } }) =>
  body.code ?? body.error?.data.code
const UNAUTHENTICATED = { status: 200, body: { error: { code: -32006, data: { code: 'authentication_required' } } } }

describe.each(['REST', 'MCP'] as const)('over %s', (binding) => {
  const subscribe = subscribeOver[binding]
  const read = (id: string): Sent =>
    binding === 'REST'
      ? { method: 'GET', path: `/usp/v1/services/feed/subscriptions/${id}`, headers: agentHeader }
      : toolCall('usp_services_feed_subscription_get', { subscription_id: id })

  test.each(operations.filter(({ access }) => access === 'privileged_platform').map((one) => [one.tool, one]))(
    '[AUT-037] a client certificate alone authenticates %s',
    async (tool, operation) => {
      const { method, path } = restRouteOf(operation)
      const filled = `/usp/v1${path.replace(/\{\w+\}/g, 'unknown')}`
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      const call = binding === 'REST' ? { method, path: filled, headers: agentHeader, body } : toolCall(tool, {})
      expect(codeOf(await server.send(call))).toBe('authentication_required')
      expect(codeOf(await server.send(call, issuedBy(authority, 'client', 'clientAuth')))).not.toBe(
        'authentication_required',
      )
    },
  )

  test('[MCP-037] [AUT-037] [AUT-088] the holder of the certificate owns what was made with it, and no other holder does', async () => {
    const client = issuedBy(authority, 'client', 'clientAuth')
    const { body } = await server.send(subscribe, client)
    const { id } = (body.result?.structuredContent ?? body).subscription
    const { rows } = await sql`select principal from principals`.execute(server.runtime.db)
    const { holder } = certificateIdentity(new X509Certificate(client.der))
    expect(rows).toContainEqual({ principal: `cert:${holder}` })
    expect(codeOf(await server.send(read(id), client))).toBeUndefined()
    const other = issuedBy(authority, 'another client', 'clientAuth')
    expect(codeOf(await server.send(read(id), other))).toBe('subscription_not_found')
  })

  test.each(Object.entries(ways))('[AUT-090] %s opens the same port without a certificate', async (_, showing) => {
    expect(codeOf(await server.send(subscribe))).toBe('authentication_required')
    const { body } = await server.send(showing(binding, subscribe))
    expect((body.result?.structuredContent ?? body).subscription).toMatchObject({ status: 'active' })
  })

  test('[AUT-090] a public operation is served on the same port without a certificate', async () => {
    const call: Sent =
      binding === 'REST'
        ? { method: 'GET', path: '/usp/v1/services/svc_a' }
        : toolCall('usp_services_get', { service_id: 'svc_a' })
    const { body } = await server.send(call)
    expect((body.result?.structuredContent ?? body).service.id).toBe('svc_a')
  })

  test.each([
    ['[AUT-089] a certificate that has expired', expired(authority, 'client', 'clientAuth')],
    ['[AUT-089] a certificate of an authority that is not ours', issuedBy(stranger, 'client', 'clientAuth')],
    ['[AUT-089] a certificate that nobody signed', selfSigned('client')],
    ['a certificate that is meant for servers', issuedBy(authority, 'client', 'serverAuth')],
    ['a certificate that is not there', undefined],
  ])('%s proves nothing, and still lets its holder read the catalogue', async (_, client) => {
    const refused = await server.send(subscribe, client)
    expect([refused.status, codeOf(refused)]).toEqual([binding === 'REST' ? 401 : 200, 'authentication_required'])
    expect((await server.send({ method: 'GET', path: '/usp/v1/services/svc_a' }, client)).status).toBe(200)
  })

  test('whoever resumes a session without a certificate still has none', async () => {
    const agent = new Agent({ keepAlive: false })
    await server.send(subscribe, undefined, agent)
    const again = await server.send(subscribe, undefined, agent)
    expect(again.resumed).toBe(true)
    expect(codeOf(again)).toBe('authentication_required')
  })

  test('whoever resumes a session with a certificate still has it', async () => {
    const agent = new Agent({ keepAlive: false })
    const client = issuedBy(authority, 'client', 'clientAuth')
    await server.send(subscribe, client, agent)
    const again = await server.send(subscribe, client, agent)
    expect(again.resumed).toBe(true)
    expect(codeOf(again)).toBeUndefined()
  })

  test('a certificate does not rescue a credential that failed', async () => {
    const headers = { ...subscribe.headers, authorization: 'Bearer usk_unknown' }
    const client = issuedBy(authority, 'client', 'clientAuth')
    expect(codeOf(await server.send({ ...subscribe, headers }, client))).toBe('authentication_required')
  })

  test('a Client-Cert header that a client sends itself is ignored', async () => {
    const { der } = issuedBy(authority, 'client', 'clientAuth')
    const headers = { ...subscribe.headers, 'client-cert': `:${der.toString('base64')}:` }
    expect(codeOf(await server.send({ ...subscribe, headers }))).toBe('authentication_required')
  })

  test('where the business does not accept certificates they prove nothing', async () => {
    const strict = await listening({ accepted_mechanisms: ['api_key'] }, files)
    const client = issuedBy(authority, 'client', 'clientAuth')
    expect(codeOf(await strict.send(subscribe, client))).toBe('authentication_required')
  })
})

test('[MCP-041] a tool call that names mtls is refused on a connection without a certificate', async () => {
  expect(await server.send(declared)).toMatchObject(UNAUTHENTICATED)
})

test.each([
  ['expired', expired(authority, 'client', 'clientAuth')],
  ['unverified', selfSigned('client')],
  ['foreign', issuedBy(stranger, 'client', 'clientAuth')],
])('[MCP-041] [AUT-089] a tool call that names mtls is refused with an %s certificate', async (_, client) => {
  expect(await server.send(declared, client)).toMatchObject(UNAUTHENTICATED)
})

test('[MCP-041] a tool call that names mtls passes with a verified certificate', async () => {
  const answer = await server.send(declared, issuedBy(authority, 'client', 'clientAuth'))
  expect(codeOf(answer)).toBeUndefined()
})

test('[MCP-037] a forged certificate in the message itself is no certificate', async () => {
  const certificate = hash('sha256', issuedBy(authority, 'client', 'clientAuth').der, 'base64url')
  const authorization = { mechanism: 'mtls', credential: certificate }
  const answer = await server.send(toolCall('usp_services_feed_subscribe', input, { authorization }))
  expect(answer).toMatchObject(UNAUTHENTICATED)
})

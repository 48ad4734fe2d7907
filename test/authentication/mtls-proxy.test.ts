import { X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { certificateIdentity } from '../../src/core/authentication/schemes/mtls.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { type TestServer, testServer } from '../support/server.ts'

const PROXY = '10.0.0.5'
const behindProxy = { TRUST_PROXY: '10.0.0.0/8' }
const platform = await testPlatform()
const authority = selfSigned('Authority')
const client = issuedBy(authority, 'client', 'clientAuth')
const asHeader = (der: Buffer) => `:${der.toString('base64')}:`

const withMechanisms = (accepted_mechanisms?: ['mtls'] | ['mtls', 'api_key']): BusinessDefinition =>
  businessWith([service('svc_a')], { ...(accepted_mechanisms && { authorization: { accepted_mechanisms } }) })
const server = await testServer(withMechanisms(['mtls', 'api_key']), { env: behindProxy })

const input = { callback_url: 'https://127.0.0.1:9443/hook' }
const forms = {
  REST: {
    url: '/usp/v1/services/feed/subscriptions',
    headers: { 'usp-agent': `profile="${platform.url}"` },
    payload: input,
  },
  MCP: {
    url: '/usp/mcp',
    headers: {},
    payload: {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name: 'usp_services_feed_subscribe',
        arguments: { ...input, _meta: { usp: { profile: platform.url, authorization: { mechanism: 'mtls' } } } },
      },
    },
  },
}

describe.each(['REST', 'MCP'] as const)('over %s', (binding) => {
  /** The code of the refusal, if there is one. */
  async function subscribe(to: TestServer, remoteAddress: string, more: Record<string, string>) {
    const { headers, ...form } = forms[binding]
    const { body } = await to.raw({ method: 'POST', ...form, remoteAddress, headers: { ...headers, ...more } })
    return body.code ?? body.error?.data.code
  }

  test('[AUT-037] [MCP-037] [AUT-091] a certificate that a trusted proxy has verified authenticates', async () => {
    expect(await subscribe(server, PROXY, { 'client-cert': asHeader(client.der) })).toBeUndefined()
    const { rows } = await sql`select principal from principals`.execute(server.runtime.db)
    expect(rows).toEqual([{ principal: `cert:${certificateIdentity(new X509Certificate(client.der)).holder}` }])
  })

  test('of a certificate that names somebody the key is not looked at', async () => {
    const der = Buffer.from(client.der)
    const key = new X509Certificate(client.der).publicKey.export({ type: 'spki', format: 'der' })
    // Of a kind that nobody knows.
    der[der.indexOf(key) + 8] = 0x7f
    expect(() => new X509Certificate(der).publicKey).toThrow()
    expect(await subscribe(server, PROXY, { 'client-cert': asHeader(der) })).toBeUndefined()
  })

  test('[MCP-041] [AUT-091] the same header of a peer that is no trusted proxy is a forgery', async () => {
    const forged = { 'client-cert': asHeader(client.der), 'x-forwarded-for': PROXY, forwarded: `for=${PROXY}` }
    expect(await subscribe(server, '198.51.100.4', forged)).toBe('authentication_required')
    expect(await subscribe(server, '127.0.0.1', forged)).toBe('authentication_required')
  })

  test('[MCP-041] without TRUST_PROXY nobody may speak for another', async () => {
    const alone = await testServer(withMechanisms(['mtls']))
    const forged = { 'client-cert': asHeader(client.der) }
    expect(await subscribe(alone, '127.0.0.1', forged)).toBe('authentication_required')
  })

  test('a proxy that was never said to verify certificates is not believed', async () => {
    const unwished = await testServer(withMechanisms(), { env: behindProxy })
    const header = { 'client-cert': asHeader(client.der) }
    expect(await subscribe(unwished, PROXY, header)).toBe('authentication_required')
  })

  test.each([
    ['nothing', ''],
    ['PEM in percent-encoding', encodeURIComponent(client.cert)],
    ['base64 without colons', client.der.toString('base64')],
    ['two certificates', `${asHeader(client.der)}, ${asHeader(client.der)}`],
    ['bytes that are no certificate', asHeader(Buffer.from('certificate'))],
    ['half a certificate', asHeader(client.der.subarray(0, 200))],
    ['a string', '"certificate"'],
    ['no bytes', '::'],
  ])('[MCP-041] %s in the header of a trusted proxy counts as no certificate', async (_, header) => {
    expect(await subscribe(server, PROXY, { 'client-cert': header })).toBe('authentication_required')
  })
})

const own = issuedBy(authority, 'server', 'serverAuth')
const tls = { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile }
const judging = { ...tls, TLS_CLIENT_CA_FILE: authority.certFile }

test.each([
  ['not in plaintext', {}, undefined, false],
  ['not over TLS without an authority for clients', tls, undefined, false],
  ['with an authority for clients', judging, undefined, true],
  ['not behind a proxy of which nothing is known', { ...judging, ...behindProxy }, undefined, false],
  ['behind a proxy when the business says so', behindProxy, ['mtls'] as ['mtls'], true],
])('the profile offers certificates: %s', async (_, env, wished, offered) => {
  const { raw } = await testServer(withMechanisms(wished), { env })
  const { body } = await raw({ method: 'GET', url: '/.well-known/usp' })
  expect(JSON.stringify(body)).toContain('accepted_mechanisms')
  expect(JSON.stringify(body).includes('"mtls"')).toBe(offered)
})

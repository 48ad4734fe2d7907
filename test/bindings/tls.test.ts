import { once } from 'node:events'
import { copyFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect as connectPlain } from 'node:net'
import { type ConnectionOptions, connect, createServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { issuedBy, selfSigned, temporaryFile } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { sendOverTls } from '../support/over-tls.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const authority = selfSigned('Authority')
const first = issuedBy(authority, 'first', 'serverAuth')
const files = { TLS_CERT_FILE: temporaryFile('server.pem'), TLS_KEY_FILE: temporaryFile('server-key.pem') }
copyFileSync(first.certFile, files.TLS_CERT_FILE)
copyFileSync(first.keyFile, files.TLS_KEY_FILE)

// The server looks at its files each minute; the tests do not wait that long.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterAll(() => void vi.useRealTimers())
const aMinutePasses = () => vi.advanceTimersByTime(60_000)

const listening = async (env: NodeJS.ProcessEnv) => {
  const server = await serverWithAllInterfaces(businessWith([service('svc_one')]), { env: { ...files, ...env } })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  return { ...server, port }
}
let server: Awaited<ReturnType<typeof listening>>
beforeAll(async () => {
  server = await listening({})
})

const get = (path: string, options: ConnectionOptions = {}) =>
  sendOverTls({ port: server.port, ca: authority.cert, ...options }, { method: 'GET', path })

/** How the handshake ends: with the protocol, or with the code of its failure. */
async function handshake(port: number, options: ConnectionOptions): Promise<string | null> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...options })
  try {
    await once(socket, 'secureConnect')
    return socket.getProtocol()
  } catch (error) {
    return String(Object(error).code)
  } finally {
    socket.destroy()
  }
}

test('[TLS-006] with a certificate and its key the server itself answers over TLS 1.2', async () => {
  const answer = await get('/usp/v1/services/svc_one', { maxVersion: 'TLSv1.2' })
  expect(answer).toMatchObject({ status: 200, protocol: 'TLSv1.2', body: { service: { id: 'svc_one' } } })
})

test('[TLS-006] tool calls are answered over TLS as well', async () => {
  const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_services_list', arguments: {} } }
  const answer = await sendOverTls({ port: server.port, ca: authority.cert }, { path: '/usp/mcp', body })
  expect(answer.body.result.structuredContent.services).toHaveLength(1)
})

test('a body that takes many turns to decrypt arrives as it was sent', async () => {
  const body = { unknown: Array.from({ length: 16 }, (_, n) => String(n % 10).repeat(60_000)) }
  const { port, rest } = server
  const answer = await sendOverTls({ port, ca: authority.cert }, { path: '/usp/v1/services/list', body })
  expect(answer.status).toBe((await rest('POST', '/services/list', body)).status)
})

describe('[TLS-007]', () => {
  // Without this OpenSSL's own client would not offer them.
  const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const

  test.each(['TLSv1', 'TLSv1.1'] as const)('a handshake that offers at most %s is refused', async (maxVersion) => {
    expect(await handshake(server.port, { ...old, maxVersion })).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('the same client reaches a server that still takes %s', async (version) => {
    const lenient = createServer({ ...old, maxVersion: version, cert: first.cert, key: first.key })
    await once(lenient.listen(0, '127.0.0.1'), 'listening')
    const { port } = lenient.address() as AddressInfo
    expect(await handshake(port, { ...old, maxVersion: version })).toBe(version)
    lenient.close()
  })
})

describe('[no CBC suites under TLS 1.2]', () => {
  const outdated = { maxVersion: 'TLSv1.2', ciphers: 'ALL:!AESGCM:!CHACHA20:@SECLEVEL=0' } as const

  test('who offers nothing better is refused, though not by every server', async () => {
    expect(await handshake(server.port, outdated)).toMatch(/HANDSHAKE_FAILURE/)
    const lenient = createServer({ cert: first.cert, key: first.key })
    await once(lenient.listen(0, '127.0.0.1'), 'listening')
    const { port } = lenient.address() as AddressInfo
    expect(await handshake(port, outdated)).toBe('TLSv1.2')
    lenient.close()
  })

  test('nor taken once a renewed certificate is in use', async () => {
    const renewed = issuedBy(authority, 'first', 'serverAuth')
    copyFileSync(renewed.certFile, files.TLS_CERT_FILE)
    copyFileSync(renewed.keyFile, files.TLS_KEY_FILE)
    aMinutePasses()
    expect(await handshake(server.port, outdated)).toMatch(/HANDSHAKE_FAILURE/)
  })

  test.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'])(
    '%s is enough',
    async (ciphers) => expect(await handshake(server.port, { maxVersion: 'TLSv1.2', ciphers })).toBe('TLSv1.2'),
  )
})

test('[TLS-008] TLS 1.3 is chosen by whoever can speak it', async () => {
  expect((await get('/usp/v1/services/svc_one')).protocol).toBe('TLSv1.3')
})

test.each([
  [200, '/usp/v1/services/svc_one'],
  [200, '/.well-known/usp'],
  [200, '/healthz'],
  [404, '/nowhere'],
  [405, '/usp/mcp'],
  [401, '/usp/v1/services/feed/subscriptions/sub_x'],
])('[TLS-012] the %i answer over https asks browsers to stay with https: %s', async (status, path) => {
  const answer = await get(path)
  expect(answer.status).toBe(status)
  const [, age] = /^max-age=(\d+)/.exec(answer.headers['strict-transport-security'] ?? '') ?? []
  expect(Number(age)).toBeGreaterThan(0)
})

test('plaintext is not answered on the TLS port, and its connection is freed', async () => {
  const socket = connectPlain(server.port, '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  await once(socket, 'close')
  expect(Buffer.concat(received).toString('latin1')).not.toContain('HTTP/1.1 200')
})

test('[TLS-001] in production a request over native TLS counts as https', async () => {
  const BASE_URL = 'https://book.example.com'
  const env = { ...files, USP_MODE: 'production', BASE_URL, DATABASE_URL: 'postgres://set/but-unused' }
  const production = await listening({ ...env, USP_SECRET_KEY: 'k'.repeat(40) })
  const options = { port: production.port, ca: authority.cert }
  expect((await sendOverTls(options, { method: 'GET', path: '/usp/v1/services/svc_one' })).status).toBe(200)
})

test('without BASE_URL the profile leads to https', async () => {
  const { body } = await get('/.well-known/usp')
  const [{ endpoint }] = body.usp.services['dev.usp-protocol.services']
  expect(endpoint).toMatch(/^https:\/\/127\.0\.0\.1:8080\//)
})

describe('renewal', () => {
  /** The name in the certificate that the server shows. */
  async function shown(): Promise<string | string[] | undefined> {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: authority.cert })
    await once(socket, 'secureConnect')
    const name = socket.getPeerCertificate().subject.CN
    socket.destroy()
    return name
  }

  test('a renewed certificate is shown within a minute, without a restart and with the same limits', async () => {
    const second = issuedBy(authority, 'second', 'serverAuth')
    expect(await shown()).toBe('first')
    copyFileSync(second.certFile, files.TLS_CERT_FILE)
    aMinutePasses()
    expect(await shown()).toBe('first')
    expect(server.logged.join('\n')).toContain('The server keeps the TLS files that it read before')
    copyFileSync(second.keyFile, files.TLS_KEY_FILE)
    aMinutePasses()
    expect(await shown()).toBe('second')
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
    expect(await handshake(server.port, old)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  })

  test('files that became unusable leave the certificate in use', async () => {
    writeFileSync(files.TLS_KEY_FILE, 'half a k')
    aMinutePasses()
    expect(await shown()).toBe('second')
  })
})

test('a connection that stays open goes on over a renewal', async () => {
  const socket = connect({ host: '127.0.0.1', port: server.port, ca: authority.cert })
  await once(socket, 'secureConnect')
  const third = issuedBy(authority, 'third', 'serverAuth')
  copyFileSync(third.certFile, files.TLS_CERT_FILE)
  copyFileSync(third.keyFile, files.TLS_KEY_FILE)
  aMinutePasses()
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const [data] = await once(socket, 'data')
  expect(String(data)).toMatch(/^HTTP\/1\.1 200/)
  socket.destroy()
})

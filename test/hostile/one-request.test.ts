import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

/** Milliseconds of processor time; what is put to the test took from a quarter of a second to three minutes. */
const AT_MOST = 200

const server = await serverWithAllInterfaces(
  businessWith([service('svc_a')], {
    authorization: { identity_linking: true, accepted_mechanisms: ['oauth2_bearer', 'http_message_signature'] },
    registry: { enabled: true },
  }),
)
const platform = await testPlatform()
let paths = 0

/** What the call answered, once it is sure that it kept nobody waiting. */
async function swiftly<T>(call: () => Promise<T>): Promise<T> {
  const before = process.threadCpuUsage()
  const answer = await call()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(AT_MOST)
  return answer
}

const usp = (capabilities: string) => `{"usp":{"version":"2026-08-20","capabilities":${capabilities}}}`
const many = (count: number, entry: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => entry(at)).join()

const profiles: [string, string][] = [
  ['60,000 wrong items', usp(`{"dev.a":[${many(60_000, () => '{}')}]}`)],
  ['9,000 wrong items', usp(`{"dev.a":[${many(9_000, () => '{}')}]}`)],
  ['16,000 bad names', usp(`{${many(16_000, (at) => `"${at}":[]`)}}`)],
  ['9,000 bad names', usp(`{${many(9_000, (at) => `"${at}":[]`)}}`)],
  ['80,000 empty names', `{${many(80_000, () => '"":1')}}`],
  ['lists 100,000 deep', '['.repeat(100_000)],
]

test.each(profiles)('[no single request stalls the server] a platform profile of %s', async (_, text) => {
  platform.answer = (_request, response) => response.end(text)
  const url = () => `${platform.url}?${++paths}`
  const rest = await swiftly(() => server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${url()}"` }))
  expect([rest.status, rest.body.code]).toEqual([422, 'profile_malformed'])
  const tool = await swiftly(() => server.tool('usp_services_list', { _meta: { usp: { profile: url() } } }))
  expect(tool.body.error.data.code).toBe('profile_malformed')
})

test('[no single request stalls the server] a profile of 1,000 keys of one name', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'k' }
  // Of the right form, and on no curve: each would be made ready anew.
  const keys = Array.from({ length: 1_000 }, (_, at) => ({
    ...jwk,
    x: Buffer.alloc(32, String(at)).toString('base64url'),
  }))
  platform.answer = (_request, response) => response.end(JSON.stringify({ ...platformProfile(), keys }))
  const profile = `profile="${platform.url}?${++paths}"`
  const headers = {
    'usp-agent': profile,
    'signature-input': 'sig=("@method" "@authority" "@path" "usp-agent");keyid="k"',
    signature: `sig=:${Buffer.alloc(64).toString('base64')}:`,
  }
  const { body } = await swiftly(() => server.rest('GET', '/bookings/bkg_none', undefined, headers))
  expect(body.code).toBe('algorithm_unsupported')
})

test('[no single request stalls the server] a signature that covers 60 parts of one header', async () => {
  platform.answer = undefined
  const parts = Array.from({ length: 60 }, (_, at) => `"usp-agent";key="k${at}"`).join(' ')
  const headers = {
    'usp-agent': `profile="${platform.url}?${++paths}"`,
    'signature-input': `sig=("@method" "@authority" "@path" "usp-agent" ${parts});keyid="k"`,
    signature: `sig=:${Buffer.alloc(64).toString('base64')}:`,
  }
  const { body } = await swiftly(() => server.rest('GET', '/bookings/bkg_none', undefined, headers))
  expect([body.code, body.detail]).toEqual(['signature_invalid', expect.stringContaining('50 components')])
})

test.each([
  ['parts of a header', Array.from({ length: 45 }, (_, at) => `"x";key=a;sf=${at}`), '/bookings/bkg_none'],
  [
    'parameters of a query',
    Array.from({ length: 45 }, (_, at) => `"@query-param";name="a";bs=${at}`),
    `/bookings/bkg_none?${'&a'.repeat(4_000)}`,
  ],
] as const)('[no single request stalls the server] four signatures that cover dozens of %s', async (_, parts, path) => {
  platform.answer = undefined
  const labels = ['s1', 's2', 's3', 's4']
  const covered = `("@method" "@authority" "@path" "@query" "usp-agent" ${parts.join(' ')});keyid="k"`
  const headers = {
    'usp-agent': `profile="${platform.url}?${++paths}"`,
    x: `${'a,'.repeat(4_000)}a=1`,
    'signature-input': labels.map((label) => `${label}=${covered}`).join(', '),
    signature: labels.map((label) => `${label}=:${Buffer.alloc(64).toString('base64')}:`).join(', '),
  }
  const { body } = await swiftly(() => server.rest('GET', path, undefined, headers))
  expect([body.code, body.detail]).toEqual(['signature_invalid', expect.stringContaining('4 parts')])
})

test.each([
  ['dots', `a@${'.'.repeat(262_000)}@`],
  ['letters and dots', `a@${'a.'.repeat(120_000)}@`],
])('[no single request stalls the server] an e-mail address of 262 KB of %s', async (_, email) => {
  const payload = new URLSearchParams({ do: 'create', email, password: 'a long password' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await swiftly(() =>
    server.raw({ method: 'POST', url: '/account', headers, payload: payload.slice(0, 262_144) }),
  )
  expect(status).toBe(422)
})

test.each(['/#x', '/', '#', '?'])(
  '[no single request stalls the server] a host of 15,900 letters before %s',
  async (end) => {
    await server.app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
    const [{ port }] = server.app.addresses() as AddressInfo[] as [AddressInfo]
    const answer = await swiftly(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET http://${'a'.repeat(15_900)}${end} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      const [first] = await once(socket, 'data')
      socket.destroy()
      return String(first)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 (4\d\d|303) /)
  },
)

test('[no single request stalls the server] an If-None-Match of 15,000 spaces', async () => {
  const known = `"a${' '.repeat(15_000)}b"`
  const { status } = await swiftly(() => server.rest('GET', '/services/svc_a', undefined, { 'if-none-match': known }))
  expect(status).toBe(200)
})

test.each([
  ['brackets', '[]'.repeat(500_000)],
  ['quotation marks', '"'.repeat(1_000_000)],
  ['one text', JSON.stringify({ query: 'a'.repeat(1_000_000) })],
])('[no single request stalls the server] a body of nothing but %s', async (_, payload) => {
  const post = (url: string) =>
    swiftly(() => server.raw({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload }))
  expect((await post('/usp/v1/services/list')).status).toBe(400)
  expect((await post('/usp/mcp')).body.error.code).toBe(-32700)
})

test.each(['/account', '/link/none', '/booking/bkg_none/manage/none'])(
  '[no single request stalls the server] a form of 131,000 fields sent to %s',
  async (url) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = 'a&'.repeat(131_000)
    const { status, body } = await swiftly(() => server.raw({ method: 'POST', url, headers, payload }))
    expect(status).toBe(413)
    expect(body).toContain('<html')
  },
)

test('[no single request stalls the server] an authorization request of 3,800 parameters', async () => {
  const url = `/oauth/authorize?${'a=1&'.repeat(3_800)}`
  const { status, body } = await swiftly(() => server.raw({ method: 'GET', url }))
  expect([status, body.code]).toEqual([400, 'invalid_request'])
})

test.each(['/usp/v1/services/list', '/usp/mcp', '/account', '/oauth/token'])(
  '[no single request fills memory] a body in chunks of one byte sent to %s',
  async (path) => {
    await server.app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
    const [{ port }] = server.app.addresses() as AddressInfo[] as [AddressInfo]
    const type = path.startsWith('/usp') ? 'application/json' : 'application/x-www-form-urlencoded'
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    // It does not end, so that the connection stays where nobody counts.
    socket.write('1\r\n \r\n'.repeat(50_000))
    const late = pass(5_000, 'still open', { ref: false })
    expect(await Promise.race([ended, late])).not.toBe('still open')
    const answer = await server.rest('GET', '/services/svc_a')
    expect(answer.status).toBe(200)
  },
)

test('[no single request stalls the server] the description of the server is put into no other words on demand', async () => {
  expect((await swiftly(() => server.raw({ method: 'GET', url: '/docs/api/yaml' }))).status).toBe(404)
  expect((await swiftly(() => server.raw({ method: 'GET', url: '/docs/api/json' }))).status).toBe(200)
})

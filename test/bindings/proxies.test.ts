import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Certified, issuedBy, selfSigned } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, WEEK } from '../support/desk.ts'
import { type Sent, sendOverTls } from '../support/over-tls.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { proxies, type ReverseProxy } from '../support/proxies.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { unguarded } from '../support/unguarded.ts'

const CLIENT = '127.0.0.2'
const TOKEN = 'a-token-that-prometheus-knows'
const authority = selfSigned('Authority')
const own = issuedBy(authority, 'server', 'serverAuth')
const client = issuedBy(authority, 'platform', 'clientAuth')
const { url } = await testPlatform()
const agent = { 'usp-agent': `profile="${url}"` }
const toolCall = (name: string, input: object): Sent => ({
  path: '/usp/mcp',
  body: {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: { ...input, _meta: { usp: { profile: url } } } },
  },
})

const definition = (accepted_mechanisms: ['mtls']): BusinessDefinition =>
  businessWith([service('svc_a')], { authorization: { accepted_mechanisms } })

test.runIf(process.env.CI)('what is to be walked through is here', () => {
  expect([proxies.nginx?.missing, proxies.HAProxy?.missing]).toEqual(['', ''])
})

async function putBehind(proxy: ReverseProxy) {
  const port = await freePort()
  const env = { TRUST_PROXY: '127.0.0.1', BASE_URL: `https://localhost:${port}`, METRICS_TOKEN: TOKEN }
  const server = await serverWithAllInterfaces(definition(['mtls']), { env })
  server.app.get('/seen', unguarded, async ({ peer, protocol }) => ({ ...peer, protocol }))
  server.app.get('/called', unguarded, async ({ id, headers }) => ({ id, sent: headers['x-request-id'] }))
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  await proxy.start({ port, server: Number(new URL(server.app.listeningOrigin).port), own, authority })
  return { port, server }
}

for (const [name, proxy] of Object.entries(proxies)) {
  const opened = proxy.missing ? undefined : await putBehind(proxy)
  describe.skipIf(!opened)(`[the walk through a proxy] ${name}${proxy.missing}`, () => {
    const { port, server } = opened ?? {}

    const send = (sent: Sent, shown?: Certified) =>
      sendOverTls(
        {
          port,
          servername: 'localhost',
          localAddress: CLIENT,
          ca: authority.cert,
          ...(shown && { cert: shown.cert, key: shown.key }),
        },
        { ...sent, headers: { host: `localhost:${port}`, ...agent, ...sent.headers } },
      )
    const rest = (path: string, body: object, shown?: Certified) => send({ path: `/usp/v1${path}`, body }, shown)
    const free = async () => {
      const { body } = await rest('/availability/query', { service_id: 'svc_a', ...WEEK })
      return body.slots.map(({ id }: { id: string }) => ({ slot_id: id, service_id: 'svc_a' }))
    }

    test('everybody reads the catalogue and the times', async () => {
      expect((await rest('/services/list', {})).body.services).toHaveLength(1)
      expect((await send(toolCall('usp_services_list', {}))).body.result.structuredContent.services).toHaveLength(1)
      expect((await free()).length).toBeGreaterThan(3)
      const profile = await send({ method: 'GET', path: '/.well-known/usp' })
      expect(JSON.stringify(profile.body)).toContain(`https://localhost:${port}/usp/v1`)
    })

    test('the server learns from where and how it is called, whatever the client says of that', async () => {
      const headers = {
        'x-forwarded-for': '198.51.100.66',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'elsewhere.example',
        forwarded: 'for=198.51.100.66;proto=http',
      }
      const { body } = await send({ method: 'GET', path: '/seen', headers })
      expect(body).toEqual({ address: CLIENT, protocol: 'https' })
    })

    test('a request is called as the proxy calls it, whatever the client calls it', async () => {
      const mine = randomUUID()
      const called = async () =>
        (await send({ method: 'GET', path: '/called', headers: { 'x-request-id': mine } })).body
      const [one, other] = [await called(), await called()]
      expect([one.id, other.id]).toEqual([one.sent, other.sent])
      expect(new Set([mine, one.id, other.id]).size).toBe(3)
    })

    test.each(['/metrics', '/metrics?x', '/%6detrics', '/metric%73', '/healthz', '/readyz'])(
      '%s is not to be had from outside',
      async (path) => {
        const asked = { method: 'GET', path, headers: { authorization: `Bearer ${TOKEN}` } }
        const { status } = await fetchStatus(asked)
        expect(status).toBe(404)
      },
    )

    test('a Client-Cert that the client itself sends is dropped', async () => {
      const [slot] = await free()
      for (const spelling of ['client-cert', 'Client-Cert', 'CLIENT-CERT'])
        for (const shown of [undefined, selfSigned('nobody')]) {
          const headers = { [spelling]: `:${client.der.toString('base64')}:` }
          const forged = { path: '/usp/v1/availability/holds', headers, body: slot }
          // A proxy may also refuse the certificate that nobody vouches for.
          const { status } = await send(forged, shown).catch(() => ({ status: 401 }))
          expect([400, 401]).toContain(status)
        }
      expect(await server?.runtime.db.selectFrom('holds').selectAll().execute()).toEqual([])
    })

    test.runIf(proxy.certificates)('a client certificate holds and books, and so does the renewed one', async () => {
      const renewed = issuedBy(authority, 'platform', 'clientAuth')
      const slots = await free()
      const [first, second] = [slots.at(0), slots.at(-1)]
      const { body: held } = await rest('/availability/holds', first, client)
      expect(held).toMatchObject({ hold: { status: 'active' } })
      const { body: made } = await rest('/bookings', { ...first, hold_id: held.hold.id, buyer }, client)
      expect(made.booking).toMatchObject({ status: 'confirmed' })
      const again = await send({ method: 'GET', path: `/usp/v1/bookings/${made.booking.id}` }, renewed)
      expect(again.body.booking.id).toBe(made.booking.id)
      const { body: tool } = await send(toolCall('usp_availability_hold', second), renewed)
      const { hold } = tool.result.structuredContent
      const booked = await send(toolCall('usp_bookings_create', { ...second, hold_id: hold.id, buyer }), renewed)
      expect(booked.body.result.structuredContent.booking.status).toBe('confirmed')
      const other = issuedBy(authority, 'another platform', 'clientAuth')
      const foreign = await send({ method: 'GET', path: `/usp/v1/bookings/${made.booking.id}` }, other)
      expect([foreign.status, foreign.body.code]).toEqual([404, 'booking_not_found'])
    })

    /** Proxies refuse in words of their own, which are no JSON. */
    const fetchStatus = async (sent: Sent) =>
      send(sent).catch((error) => {
        if (error instanceof SyntaxError) return { status: 404 }
        throw error
      })
  })
}

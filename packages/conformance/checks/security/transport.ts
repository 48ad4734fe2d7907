import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { Answer } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Target } from '../../target/target.ts'
import { check } from '../check.ts'
import { probe } from './probe.ts'

const rest = { only: 'rest' } as const
const once = { once: true } as const
const ORIGIN = 'https://page.example'
const REQUEST_HEADERS = [
  'authorization',
  'dpop',
  'usp-agent',
  'idempotency-key',
  'if-match',
  'content-type',
  'content-digest',
  'signature',
  'signature-input',
]
const ANSWER_HEADERS = ['retry-after', 'www-authenticate', 'dpop-nonce', 'idempotency-replayed', 'ratelimit-limit']

export const transportChecks = [
  check(
    'TLS-001 TLS-002',
    'The server refuses a request over plaintext HTTP, and does not redirect it',
    async (c) => {
      // If the https address has no port, this request uses port 80.
      const { host, pathname } = new URL(httpsEndpoint(c.target))
      const headers = { 'content-type': 'application/json' }
      const plain = { body: '{}', headers }
      const answer = await c.anonymous
        .request('POST', `http://${host}${pathname}/services/list`, plain)
        .catch(() => null)
      if (answer) expectTrue(answer.status >= 400, 'no answer, or a status of at least 400', `HTTP ${answer.status}`)
    },
    rest,
  ),
  check(
    'TLS-007',
    'The server refuses TLS 1.0 and 1.1',
    async ({ target }) => {
      for (const version of ['TLSv1', 'TLSv1.1'] as const) {
        const chosen = await handshake(httpsEndpoint(target), { minVersion: version, maxVersion: version })
        expectEqual(chosen, undefined, `the chosen TLS version after an offer of ${version}`)
      }
    },
    once,
  ),
  check(
    'TLS-008',
    'The server chooses TLS 1.3',
    async ({ target }) => {
      const chosen = await handshake(httpsEndpoint(target), { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' })
      expectEqual(chosen, 'TLSv1.3', 'the chosen TLS version')
    },
    once,
  ),
  check(
    'TLS-012',
    'Answers over https contain Strict-Transport-Security',
    async ({ anonymous, target }) => {
      httpsEndpoint(target)
      const { headers } = await anonymous.request('GET', target.profileUrl)
      const [, seconds = '0'] = /max-age="?(\d+)/.exec(headers['strict-transport-security'] ?? '') ?? []
      expectTrue(
        Number(seconds) > 0,
        'a max-age above zero in Strict-Transport-Security',
        headers['strict-transport-security'],
      )
    },
    once,
  ),
  check(
    'TLS-011 TLS-018',
    'Each answer contains nosniff, and does not reveal a framework or version',
    async (c) => {
      for (const { headers } of await variousAnswers(c)) {
        expectEqual(headers['x-content-type-options'], 'nosniff', 'X-Content-Type-Options')
        expectEqual(headers['x-powered-by'], undefined, 'X-Powered-By')
        expectTrue(!/\d/.test(headers.server ?? ''), 'no version number in the header Server', headers.server)
      }
    },
    once,
  ),
  check(
    'TLS-013 TLS-015 TLS-016',
    'A page of another origin can read public answers and their headers',
    async (c) => {
      const answers = [
        await c.anonymous.request('GET', c.target.profileUrl, { headers: { origin: ORIGIN } }),
        await c.anonymous.call('listServices', {}, { headers: { origin: ORIGIN } }),
      ]
      for (const { headers } of answers) {
        const allowed = headers['access-control-allow-origin'] ?? ''
        expectTrue(['*', ORIGIN].includes(allowed), 'Access-Control-Allow-Origin for the page', allowed)
        expectTrue(
          headers['access-control-allow-credentials'] !== 'true',
          'no Access-Control-Allow-Credentials',
          'true',
        )
      }
      const exposed = list(answers[1]?.headers['access-control-expose-headers'])
      const hidden = ANSWER_HEADERS.filter((name) => !exposed.includes(name))
      expectEqual(hidden, [], 'the headers that are not exposed')
    },
    once,
  ),
  check(
    'TLS-014 TLS-016',
    'A page of another origin can send the headers of privileged calls',
    async (c) => {
      const headers = {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': REQUEST_HEADERS.join(','),
      }
      const answer = await c.anonymous.request('OPTIONS', '/bookings', { headers })
      expectTrue(answer.status < 300, 'a successful preflight', `HTTP ${answer.status}`)
      const allowed = list(answer.headers['access-control-allow-headers'])
      const forbidden = REQUEST_HEADERS.filter((name) => !allowed.includes(name))
      expectEqual(forbidden, [], 'the headers that are not allowed')
      expectTrue(
        answer.headers['access-control-allow-credentials'] !== 'true',
        'no Access-Control-Allow-Credentials',
        'true',
      )
    },
    rest,
  ),
  check(
    'TLS-017',
    'Caches must not store the answer to a privileged call',
    async (c) => {
      const { booking } = await c.book()
      const { headers } = await c.caller.call('getBooking', { booking_id: booking.id })
      const cacheControl = headers['cache-control'] ?? ''
      expectTrue(/\bno-store\b/.test(cacheControl), 'no-store in Cache-Control', cacheControl)
    },
    { ...rest, needs: ['services.bookings'] },
  ),
]

/** Returns an endpoint. Skips the check if the endpoint has no https address. */
export function httpsEndpoint(target: Target): string {
  const endpoint = target.endpoint(target.firstBinding)
  if (!endpoint.startsWith('https:')) throw new Skip('The suite does not reach the server over https.')
  return endpoint
}

/** Returns the TLS version that the server chose, or undefined if the server refused the handshake. */
function handshake(address: string, versions: object): Promise<string | null | undefined> {
  const { hostname, port } = new URL(address)
  const name = isIP(hostname) ? {} : { servername: hostname }
  // OpenSSL offers the old TLS versions only at security level 0.
  const options = { host: hostname, port: Number(port || 443), ...name, ciphers: 'DEFAULT@SECLEVEL=0' }
  return new Promise((resolve) => {
    const socket: TLSSocket = connect({ ...options, ...versions, rejectUnauthorized: false }, () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.once('error', () => resolve(undefined))
  })
}

/** Returns a successful answer, an error answer, and the answer for an unknown path. */
async function variousAnswers({ anonymous, target }: CheckContext): Promise<Answer[]> {
  return [
    await anonymous.request('GET', target.profileUrl),
    await probe(anonymous),
    await anonymous.request('GET', `${target.origin}/path/of/nothing`),
  ]
}

const list = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((name) => name.trim().toLowerCase())

import { type Answer, asMembers } from '../../caller/answer.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

/**
 * The number of requests that one caller sends at once. The usual limits are 30 in a minute for holds, and 100 for
 * reads.
 */
const BURST = 70
const AT_ONCE = 10

/** Requires that all members and headers with the time to wait agree. */
function expectConsistentWait({ headers, json }: Answer): void {
  const { 'retry-after': header, 'ratelimit-reset': reset } = headers
  if (header === undefined) return
  const { retry_after } = asMembers(asMembers(asMembers(json)?.error)?.data) ?? {}
  if (retry_after !== undefined) expectEqual(Number(header), retry_after, 'the seconds in Retry-After')
  if (reset !== undefined)
    expectTrue(
      Number(header) <= Number(reset) + 1,
      `a Retry-After of at most the ${reset} s of RateLimit-Reset`,
      header,
    )
}

export const requestLimitChecks = [
  check(
    'LIM-005 ERR-046 ERR-072 MCP-034',
    'The server refuses too many calls about holds, and says how long to wait',
    async (c) => {
      c.needsHolds()
      const { caller } = c.newPlatform()
      for (let sent = 0; sent < BURST; sent += AT_ONCE) {
        const releases = Array.from({ length: AT_ONCE }, () =>
          caller.call('release', { hold_id: 'conformance_none' }, { seesRateLimits: true }),
        )
        const refused = (await Promise.all(releases)).find(
          ({ status, error }) => status === 429 || error?.code === 'rate_limited',
        )
        if (!refused) continue
        refused.failsWith('rate_limited', { rest: 429, mcp: -32007 })
        const seconds = refused.headers['retry-after']
        if (c.binding === 'rest') expectTrue(/^\d+$/.test(seconds ?? ''), 'seconds in Retry-After', seconds ?? 'none')
        expectConsistentWait(refused)
        return
      }
      throw new Skip(`The server accepts ${BURST} releases in a row.`)
    },
    { needs: ['services.availability'] },
  ),
  check(
    'LIM-014',
    'Each answer says how many more requests the caller may send',
    async (c) => {
      const { caller } = c.newPlatform()
      const left = async () => {
        const { headers } = await caller.call('getBooking', { booking_id: 'conformance_none' })
        for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
          expectTrue(/^\d+$/.test(headers[name] ?? ''), `a number in ${name}`, headers[name] ?? 'none')
        return { remaining: Number(headers['ratelimit-remaining']), reset: Number(headers['ratelimit-reset']) }
      }
      const [first, second] = [await left(), await left()]
      if (second.reset > first.reset) throw new Skip('A new period of the limit began.')
      expectEqual(second.remaining, first.remaining - 1, 'ratelimit-remaining of the second answer')
    },
    { only: 'rest' },
  ),
  check(
    'LIM-021',
    'The server refuses a body of several mebibytes',
    async ({ anonymous }) => {
      const body = JSON.stringify({ query: 'x'.repeat(4 * 1024 * 1024) })
      const headers = { 'content-type': 'application/json' }
      const answer = await anonymous.request('POST', '/services/list', { body, headers }).catch(() => undefined)
      if (!answer) throw new Skip('The server closed the connection before it sent an answer.')
      expectEqual(answer.status, 413, 'the HTTP status')
    },
    { only: 'rest' },
  ),
  check(
    'LIM-023',
    'The server refuses a very long address, and continues to answer other requests',
    async ({ anonymous }) => {
      const answer = await anonymous.request('GET', `/services/${'x'.repeat(100_000)}`).catch(() => undefined)
      if (answer) expectTrue(answer.status >= 400 && answer.status < 500, 'a status 4xx', `HTTP ${answer.status}`)
      ;(await anonymous.call('readFeed', { limit: 1 })).success()
    },
    { only: 'rest' },
  ),
]

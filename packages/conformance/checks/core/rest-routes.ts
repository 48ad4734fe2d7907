import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectStatus } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { overBoth } from './over-both.ts'
import { expectAllowed, expectProblemType, problemTypeOf } from './problems.ts'
import { firstOf, withoutHint } from './service-facts.ts'

const only = 'rest'

export const restRouteChecks = [
  check(
    'REST-002',
    'The profile is at the origin, and not below the endpoint',
    async ({ anonymous, target }) => {
      const answer = await anonymous.request('GET', target.profileUrl, {
        headers: { 'usp-agent': 'profile="https://platform.invalid/profile"' },
      })
      expectStatus(answer, 200)
      expectMembers(asMembers(answer.json)?.[target.isUcpNative ? 'ucp' : 'usp'], 'the profile')
      if (new URL(target.endpoint('rest')).pathname === '/') return
      expectStatus(await anonymous.request('GET', new URL(target.profileUrl).pathname), 404)
    },
    { only },
  ),
  check(
    'REST-023 LIV-023',
    'A path without an operation gets HTTP 404',
    async ({ anonymous }) => {
      for (const path of ['/of_no_specification', '/services/a/b/c', '/bookings/a/of_no_specification']) {
        const answer = await anonymous.request('GET', path)
        expectStatus(answer, 404)
        const { type, title } = expectMembers(answer.json, 'the problem')
        expectEqual([type, title], ['about:blank', 'Not Found'], 'type and title')
        expectProblemType(answer)
      }
    },
    { only },
  ),
  check(
    'LIV-020 LIV-019',
    'The server does not read the paths of list, lookup and feed as service ids',
    async ({ anonymous }) => {
      for (const [method, path, allowed] of [
        ['GET', '/services/list', 'POST'],
        ['GET', '/services/lookup', 'POST'],
        ['POST', '/services/feed', 'GET'],
      ] as const) {
        const answer = await anonymous.request(method, path)
        expectStatus(answer, 405)
        expectAllowed(answer, allowed)
        expectEqual(asMembers(answer.json)?.type, 'about:blank', 'type')
      }
    },
    { only },
  ),
  check(
    'LIV-021',
    'A business without a feed answers a request for it with HTTP 501',
    async ({ anonymous }) => {
      const answer = await anonymous.request('GET', '/services/feed')
      if (answer.status === 200 && Array.isArray(asMembers(answer.json)?.items))
        throw new Skip('The business has a feed.')
      expectStatus(answer, 501)
      expectEqual(asMembers(answer.json)?.type, 'about:blank', 'type')
    },
    { only },
  ),
  check('LIV-007', 'The server reads any other path segment as a service id', async ({ anonymous }) => {
    const segments = ['word', '8f14e45f-ceea-467f-a0e6-3d1f4d1b2c3a', 'x'.repeat(1500), 'Überraschung 散髪', '%', "'--"]
    for (const service_id of segments) {
      const answer = await anonymous.call('getService', { service_id })
      answer.failsWith('service_not_found')
      if (answer.binding === 'rest') expectEqual(answer.error?.members.type, problemTypeOf('service_not_found'), 'type')
    }
  }),
  check(
    'REST-030',
    'The server speaks HTTP/1.1',
    async ({ target }) => {
      const get = target.profileUrl.startsWith('https:') ? getSecure : getPlain
      const version = await new Promise((resolve, reject) => {
        get(target.profileUrl, (response) => {
          response.resume()
          resolve(response.httpVersion)
        }).on('error', reject)
      })
      expectEqual(version, '1.1', 'the HTTP version of the answer')
    },
    { only },
  ),
  check(
    'REST-031',
    'A percent-encoded service id names the same service',
    async ({ anonymous, services }) => {
      const id = services[0]?.id
      if (typeof id !== 'string') throw new Skip('The catalogue is empty.')
      const encoded = [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      const { service } = (await anonymous.request('GET', `/services/${encoded}`)).success()
      expectEqual(asMembers(service)?.id, id, 'the id of the service')
    },
    { only },
  ),
  check(
    'REST-032',
    'A service has the same members over both bindings',
    async (c) => {
      const { id } = firstOf(c.services, 'service')
      const [rest, mcp] = await overBoth(c, c.anonymous, 'getService', { service_id: id })
      expectEqual(withoutHint(mcp.success().service), withoutHint(rest.success().service), 'the service over MCP')
    },
    { only },
  ),
  check(
    'REST-028 REST-029',
    'The header USP-Correlation-Id changes nothing',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id }
      const idempotencyKey = crypto.randomUUID()
      const holds: Members[] = []
      for (const correlation of ['first', '', 'second "of"; two']) {
        const headers = { 'usp-correlation-id': correlation }
        const { hold } = (await c.caller.call('hold', input, { idempotencyKey, headers })).success()
        holds.push(expectMembers(hold, 'hold'))
      }
      for (const hold of holds.slice(0, 1)) c.endHoldAfterwards(slot, hold)
      expectEqual(new Set(holds.map(({ id }) => id)).size, 1, 'the number of holds for one idempotency key')
    },
    { only, needs: ['services.availability'] },
  ),
]

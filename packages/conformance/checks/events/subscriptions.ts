import type { Caller } from '../../caller/caller.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectNotFound } from '../expect-not-found.ts'
import { needs, onSubscription, type SubscriptionOperation, statusAfter, subscribe } from './subscription-steps.ts'

const INVALID = { rest: 422, mcp: -32602 }

export const subscriptionChecks = [
  check(
    'FEED-035 FEED-036 FEED-037 FEED-038 FEED-046',
    'A platform can subscribe to the catalogue and read its subscription',
    async (c) => {
      const callback_url = `${c.platform.hosted.address}/catalogue`
      const input = { callback_url, categories: ['hair', 'nails'], events: ['service.created', 'service.deleted'] }
      const answer = await c.caller.call('subscribe', input)
      const subscription = expectMembers(answer.success().subscription, 'subscription')
      c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: subscription.id }))
      if (c.binding === 'rest') expectEqual(answer.status, 201, 'the HTTP status')
      expectText(subscription.id, 'id')
      expectEqual(subscription.status, 'active', 'status')
      expectInstant(subscription.created_at, 'created_at')
      for (const [name, value] of Object.entries(input)) expectEqual(subscription[name], value, name)
      const read = (await c.caller.call('getSubscription', { subscription_id: subscription.id })).success()
      expectEqual(read.subscription, subscription, 'the subscription when read')
      const second = await subscribe(c)
      expectTrue(second.id !== subscription.id, 'a different id for the second subscription', second.id)
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-039 FEED-040 FEED-042',
    'The server refuses a subscription without an https callback, or with unknown events',
    async (c) => {
      const callback_url = `${c.platform.hosted.address}/catalogue`
      const missing = await c.caller.call('subscribe', { events: ['service.created'] })
      missing.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      for (const input of [
        { callback_url: 'http://platform.example/catalogue' },
        { callback_url, events: ['service.created', 'service.sold'] },
      ])
        (await c.caller.call('subscribe', input)).failsWith('validation_error', INVALID)
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-041',
    'The server refuses a callback at a private address',
    async (c) => {
      for (const host of ['10.0.0.1', '169.254.169.254', '192.168.1.1', '[fd00::1]'])
        (await c.caller.call('subscribe', { callback_url: `https://${host}/catalogue` })).failsWith(
          'validation_error',
          INVALID,
        )
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-043',
    'Each operation on subscriptions needs authentication',
    async (c) => {
      const subscription = await subscribe(c)
      const stranger = c.callerFor(c.platform.hosted, 'none')
      const calls: [OperationName, object][] = [
        ['subscribe', { callback_url: `${c.platform.hosted.address}/catalogue` }],
        ...onSubscription.map((name): [OperationName, object] => [name, { subscription_id: subscription.id }]),
      ]
      for (const [name, input] of calls) {
        const answer = await stranger.call(name, { ...input })
        answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
      }
      expectEqual(await statusAfter(c, 'getSubscription', subscription), 'active', 'the status after the refused calls')
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-044',
    'A booking-scoped credential gives no access to subscriptions',
    async (c) => {
      const { credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credentials.')
      const { id } = await subscribe(c)
      const stranger = c.callerFor(c.platform.hosted, 'none')
      for (const name of onSubscription) {
        const { error } = await stranger.call(name, { subscription_id: id }, { credential })
        const refusals = c.binding === 'rest' ? [401] : [-32001, -32006]
        expectTrue(refusals.includes(error?.number ?? 0), `the error ${refusals.join(' or ')}`, error?.number)
      }
    },
    { needs: [...needs, 'services.availability', 'services.bookings'], newPlatform: true },
  ),
  check(
    'FEED-045',
    'A subscription repeated with its idempotency key gets the stored answer; a different one with this key gets a conflict',
    async (c) => {
      const callback_url = `${c.platform.hosted.address}/catalogue`
      const options = { idempotencyKey: crypto.randomUUID() }
      const first = (await c.caller.call('subscribe', { callback_url }, options)).success()
      const { id } = expectMembers(first.subscription, 'subscription')
      c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: id }))
      const again = (await c.caller.call('subscribe', { callback_url }, options)).success()
      expectEqual(expectMembers(again.subscription, 'subscription').id, id, 'the id of the repeated subscription')
      const other = await c.caller.call('subscribe', { callback_url, categories: ['hair'] }, options)
      other.failsWith('idempotency_conflict', { rest: 409, mcp: -32602 })
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-047 FEED-048 FEED-049 LIV-002',
    'A call about a subscription of another platform gets the same answer as for an unknown one',
    async (c) => {
      const subscription = await subscribe(c)
      const { hosted } = c.platform
      const cases: [Caller, string, string][] = [
        [c.caller, 'sub_of_nobody', 'an unknown subscription'],
        [c.newPlatform().caller, subscription.id, 'the subscription of another platform'],
      ]
      // A signature needs a published key, and all published keys of a profile have the same rights.
      if (c.usualAuthentication === 'proof') {
        const otherKey = c.callerFor({ ...hosted, key: c.newKey() })
        cases.push([otherKey, subscription.id, 'the subscription for another key with the same profile'])
      }
      for (const [caller, id, what] of cases)
        for (const name of onSubscription) expectNotFound(await caller.call(name, { subscription_id: id }), what)
      expectEqual(await statusAfter(c, 'getSubscription', subscription), 'active', 'the status after the refused calls')
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-050 FEED-051 FEED-053 FEED-056 FEED-038',
    'A platform can pause, resume and cancel its subscription, and cancel it during a pause',
    async (c) => {
      const subscription = await subscribe(c)
      const steps: [SubscriptionOperation, string][] = [
        ['resumeSubscription', 'active'],
        ['pauseSubscription', 'paused'],
        ['getSubscription', 'paused'],
        ['pauseSubscription', 'paused'],
        ['resumeSubscription', 'active'],
        ['getSubscription', 'active'],
        ['pauseSubscription', 'paused'],
        ['unsubscribe', 'canceled'],
        ['unsubscribe', 'canceled'],
      ]
      for (const [name, status] of steps)
        expectEqual(await statusAfter(c, name, subscription), status, `the status after ${name}`)
    },
    { needs, newPlatform: true },
  ),
  check(
    'FEED-052 FEED-054 FEED-055 FEED-057',
    'A canceled subscription stays canceled, and the platform can still read it',
    async (c) => {
      const subscription = await subscribe(c)
      expectEqual(await statusAfter(c, 'unsubscribe', subscription), 'canceled', 'the status after unsubscribe')
      for (const name of ['resumeSubscription', 'pauseSubscription'] as const) {
        const answer = await c.caller.call(name, { subscription_id: subscription.id })
        const isRefused = answer.error !== undefined || answer.refusal !== undefined
        expectTrue(isRefused, `a refusal of ${name}`, `HTTP ${answer.status} with a result`)
        if (c.binding === 'rest') expectTrue([200, 409].includes(answer.status), 'HTTP 409 or 200', answer.status)
        expectEqual(await statusAfter(c, 'getSubscription', subscription), 'canceled', `the status after ${name}`)
      }
      const next = await subscribe(c)
      expectTrue(next.id !== subscription.id, 'a new id for a new subscription', next.id)
    },
    { needs, newPlatform: true },
  ),
]
